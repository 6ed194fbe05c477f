import Crypto

/// The steps that are left to the operator after a restore.
struct RestoreInstructions {
    let manifest: BackupManifest
    let settings: Settings

    var lines: [String] { [sealing, roles, restart].compactMap(\.self) }

    private var sealing: String? {
        guard !manifest.sealingKeys.isEmpty else { return nil }
        let state = SealingKeyState.read(settings)
        let source = state.file ?? "BELFRY_SEALING_KEY"
        let needed =
            "The secrets need the sealing \(manifest.sealingKeys.count == 1 ? "key" : "keys") "
            + manifest.sealingKeys.joined(separator: ", ")
        let present = Set(state.ring?.all.map(\.id.description) ?? [])
        let missing = manifest.sealingKeys.filter { !present.contains($0) }
        switch state.keys {
        case .read where missing.isEmpty: return "\(needed): \(source) has what is needed."
        case .read:
            return "\(needed). \(source) lacks \(missing.joined(separator: ", ")): add it before you start Belfry."
        case .missing: return "\(needed). \(source) does not exist: put it there before you start Belfry."
        case .unusable(let reason): return "\(needed). \(reason)"
        }
    }

    private var roles: String? {
        guard !manifest.roles.isEmpty else { return nil }
        return "Let analysts read again: "
            + manifest.roles.map { "belfry analyst-role \($0)" }.joined(separator: "; ") + "."
    }

    private var restart: String {
        let question =
            switch manifest.openRuns {
            case 0: "No run was open. Campaigns that were due before now ask before they start"
            case 1: "One run was open. It is paused, and asks whether to go on"
            default: "\(manifest.openRuns) runs were open. They are paused, and ask whether to go on"
            }
        return "Start Belfry. \(question): pushes that were sent after \(manifest.time) are not in this ledger."
    }
}
