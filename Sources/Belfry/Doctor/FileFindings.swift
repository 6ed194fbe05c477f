import FoundationEssentials
import Glibc

/// Files with secrets, of which others on this machine must know nothing.
enum FileFindings {
    /// The files that settings name. Settings refuse what others may read, and so does this.
    static func secrets(_ files: [(name: String, path: String)]) -> [DoctorFinding] {
        files.map { name, path in
            do {
                try FilePermissions(path).check(name, isSecret: true)
                return .ok(.secrets, name, "only its owner can read \(path)")
            } catch {
                return .refused(.secrets, name, error)
            }
        }
    }

    /// Signing keys that were left in these directories. Belfry has sealed copies.
    static func signingKeys(in folders: [String]) -> [DoctorFinding] {
        let readable = folders.flatMap(signingKeys).filter { path in
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
        }
        guard !readable.isEmpty else { return [] }
        let paths = readable.joined(separator: " ")
        return [
            .warning(
                .secrets, "p8 files", "other users of this machine can read \(paths), and send pushes with it",
                "Keep it elsewhere: Belfry has a sealed copy. Or run chmod 600 \(paths)")
        ]
    }

    private static func signingKeys(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".p8") }.sorted().map { folder == "." ? $0 : "\(folder)/\($0)" }
    }
}
