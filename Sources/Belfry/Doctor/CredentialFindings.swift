import APNS
import Campaigns
import Dispatcher
import EventLoop
import Logging
import Notifications
import Store

/// What Apple, or a simulator, says about the signing keys of the database. No device gets anything.
struct CredentialFindings: Sendable {
    /// For connecting and sending; an answer may take as long again.
    private static let timeout = Duration.seconds(3)
    /// Keys that no answer came for by then are not asked about.
    private static let startLimit = Duration.seconds(3)
    /// Keys that are asked about at the same time.
    private static let concurrency = 8

    let endpoints: APNSEndpoints
    let reached: Set<PushEnvironment>
    let loop: EventLoop
    let logger: Logger

    func ask(_ keys: [StoredKey]) async -> [DoctorFinding] {
        guard !keys.isEmpty else { return [.ok(.apns, "keys", "no signing key is stored yet")] }
        let end = MonotonicTime.now() + Self.startLimit
        let checker = APNSCredentialChecker(
            endpoints: endpoints, options: options, timeout: Self.timeout, loop: loop, logger: logger)
        return await withTaskGroup(of: (Int, [DoctorFinding]).self) { group in
            var answers: [Int: [DoctorFinding]] = [:]
            for (index, key) in keys.enumerated() {
                if index >= Self.concurrency, let (answered, findings) = await group.next() {
                    answers[answered] = findings
                }
                guard MonotonicTime.now() < end else {
                    answers[index] = DoctorFinding.skipped(.apns, [key.name], because: "others took too long")
                    continue
                }
                group.addTask(executorPreference: loop) { (index, await ask(key, checker)) }
            }
            for await (index, findings) in group { answers[index] = findings }
            return keys.indices.flatMap { answers[$0] ?? [] }
        }
    }

    private var options: APNSOptions {
        var options = APNSOptions()
        (options.requestDeadline, options.connectTimeout) = (Self.timeout, Self.timeout)
        return options
    }

    private func ask(_ key: StoredKey, _ checker: APNSCredentialChecker) async -> [DoctorFinding] {
        guard let signingKey = key.stored.key, let token = key.token else { return [key.sealed] }
        let credential = key.stored.credential
        let asked = credential.environments.intersection(reached)
        let silent = credential.environments.subtracting(reached).map(\.name).sorted()
        var findings: [DoctorFinding] = []
        if !asked.isEmpty {
            let draft = CredentialDraft(
                keyID: credential.keyID, teamID: credential.teamID, key: signingKey, environments: asked)
            findings += await checker.check(draft, for: key.stored.bundleID, with: token).map(key.finding)
        }
        guard !silent.isEmpty else { return findings }
        let reason = "the host for \(silent.joined(separator: " and ")) can't be reached"
        return findings + DoctorFinding.skipped(.apns, [key.name], because: reason)
    }
}

extension StoredKey {
    /// The name of its check.
    var name: String { "key \(stored.credential.keyID.text)" }

    fileprivate var sealed: DoctorFinding {
        .error(
            .apns, name, "\(stored.bundleID.text): the sealing key does not open it",
            "Add the sealing key that encrypted it as a further line, or upload the .p8 file again.")
    }

    func finding(_ answer: CredentialFinding) -> DoctorFinding {
        let subject = "\(stored.bundleID.text), \(answer.environment.name)"
        let message = "\(subject): \(answer.reason.map { "\($0). " } ?? "")\(answer.meaning)"
        let remedy = answer.remedy.map { "\($0)" }
        return switch answer.outcome {
        case .accepted: .ok(.apns, name, "\(subject): accepted by \(answer.host)")
        case .rejected: .error(.apns, name, message, remedy)
        case .unknown: .warning(.apns, name, message, remedy)
        }
    }
}
