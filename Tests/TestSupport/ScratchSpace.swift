import Glibc

/// The place where tests put their database clusters and folders.
public enum ScratchSpace {
    /// In memory if the machine has the room, otherwise on disk. Copying a test database takes 15 ms in memory and
    /// 80 to 140 ms on disk, and the suite does so more than a thousand times.
    public static let path = availableBytes(of: memory) >= minimumBytes ? memory : "/tmp"

    /// Every place that `path` can be.
    static let all = [memory, "/tmp"]

    private static let memory = "/dev/shm"
    private static let minimumBytes: UInt = 6 << 30

    /// 0 if the path can't be written to.
    private static func availableBytes(of path: String) -> UInt {
        var space = statvfs()
        guard access(path, W_OK) == 0, statvfs(path, &space) == 0 else { return 0 }
        return space.f_bavail * space.f_frsize
    }
}
