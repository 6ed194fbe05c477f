import Crypto
import FoundationEssentials

/// The source of the sealing keys, and the result of reading them.
struct SealingKeyState: Sendable {
    enum Keys: Sendable {
        case read(SealingKeyRing)
        case missing
        case unusable(String)
    }

    /// Nil for the setting with the keys themselves.
    let file: String?
    let keys: Keys
    /// Names of files in the key's directory that look like dumps of a database.
    let dumps: [String]

    /// Creates nothing, other than a start.
    static func read(_ settings: Settings) -> SealingKeyState {
        let file = settings.sealingKey == nil ? settings.sealingKeyPath : nil
        let folder = file.map { URL(filePath: $0).deletingLastPathComponent().path }
        let dumps = folder.map(dumps) ?? []
        if let file, !TextFile.exists(file) { return SealingKeyState(file: file, keys: .missing, dumps: dumps) }
        do {
            return SealingKeyState(
                file: file, keys: .read(try Database.sealingKeys(settings, isNew: false)), dumps: dumps)
        } catch {
            return SealingKeyState(file: file, keys: .unusable("\(error)"), dumps: dumps)
        }
    }

    private static func dumps(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in
            [".dump", ".sql", ".sql.gz", ".sql.zst", ".backup", ".pgdump"].contains(where: name.hasSuffix)
                || TextFile.exists("\(folder)/\(name)/toc.dat")
        }.sorted()
    }

    var ring: SealingKeyRing? { if case .read(let ring) = keys { ring } else { nil } }

    /// `isSealed`: whether the database has secrets that need a key; nil if it was not asked.
    func findings(isSealed: Bool?) -> [DoctorFinding] {
        [keyFinding(isSealed), dumpFinding].compactMap { $0 }
    }

    private func keyFinding(_ isSealed: Bool?) -> DoctorFinding {
        let source = file ?? "BELFRY_SEALING_KEY"
        switch keys {
        case .read(let ring):
            let count = ring.all.count == 1 ? "one key" : "\(ring.all.count) keys"
            return .ok(.secrets, "sealing key", "\(source) has \(count); \(ring.current.id) encrypts")
        case .unusable(let reason): return .error(.secrets, "sealing key", reason, nil)
        case .missing: return Self.missing(source, isSealed)
        }
    }

    private static func missing(_ file: String, _ isSealed: Bool?) -> DoctorFinding {
        let remedy = "Restore it from your backup, or set BELFRY_SEALING_KEY_FILE to where it is."
        return switch isSealed {
        case true?: .error(.secrets, "sealing key", "\(file) does not exist, and the database needs it", remedy)
        case false?: .ok(.secrets, "sealing key", "\(file) does not exist yet; the first start creates it")
        case nil: .warning(.secrets, "sealing key", "\(file) does not exist", "\(remedy) A new database gets one.")
        }
    }

    private var dumpFinding: DoctorFinding? {
        guard let file, !dumps.isEmpty else { return nil }
        return .warning(
            .secrets, "backups", "\(dumps.joined(separator: ", ")) beside \(file): who gets the folder has both",
            "Keep dumps of the database and the sealing key in different places.")
    }
}
