import Glibc

/// The space of the volume that has a file or directory.
struct FreeSpace: Equatable, Sendable {
    /// Bytes.
    var free: Int64
    var total: Int64

    /// Less than this is an error: PostgreSQL writes hundreds of megabytes of log before a checkpoint.
    static let minimum: Int64 = 1_000_000_000
    /// Less than both of these is a warning.
    static let scarce: Int64 = 20_000_000_000
    static let scarceShare = 0.1

    /// Nil if the path can't be reached.
    init?(of path: String) {
        var volume = statvfs()
        guard statvfs(path, &volume) == 0 else { return nil }
        free = Int64(clamping: UInt64(volume.f_bavail) * UInt64(volume.f_frsize))
        total = Int64(clamping: UInt64(volume.f_blocks) * UInt64(volume.f_frsize))
    }

    init(free: Int64, total: Int64) {
        (self.free, self.total) = (free, total)
    }

    /// `use` follows, as in "; the database has 2 GB".
    func finding(_ group: DoctorFinding.Group, _ check: String, of path: String, _ use: String = "") -> DoctorFinding {
        let percent = total > 0 ? Int(Double(free) / Double(total) * 100) : 0
        let message = "\(free.byteText) of \(total.byteText) are free (\(percent) %)\(use)"
        if free < Self.minimum {
            return .error(group, check, message, "Free space on the volume of \(path), or enlarge it.")
        }
        let isScarce = free < Self.scarce && Double(free) < Double(total) * Self.scarceShare
        return isScarce
            ? .warning(group, check, message, "Free space on the volume of \(path), or enlarge it.")
            : .ok(group, check, message)
    }
}

extension Int64 {
    /// Such as "1.4 GB" or "412 MB".
    var byteText: String {
        for (unit, name) in [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB")] where self >= unit {
            let tenths = (Double(self) / Double(unit) * 10).rounded() / 10
            return tenths < 10 ? "\(tenths) \(name)" : "\(Int(tenths.rounded())) \(name)"
        }
        return "\((self + 999) / 1_000) kB"
    }
}
