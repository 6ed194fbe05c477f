import Foundation

// Foundation has these on Apple's systems only.
extension URL {
    /// Always permitted, unless `stubDeny` was called.
    public func startAccessingSecurityScopedResource() -> Bool {
        StubSecurityScope.lock.lock()
        defer { StubSecurityScope.lock.unlock() }
        guard !StubSecurityScope.denied.contains(path) else { return false }
        StubSecurityScope.open[path, default: 0] += 1
        return true
    }

    public func stopAccessingSecurityScopedResource() {
        StubSecurityScope.lock.lock()
        defer { StubSecurityScope.lock.unlock() }
        StubSecurityScope.open[path, default: 0] -= 1
    }

    /// Stub only: starts without their stop.
    public var stubAccesses: Int {
        StubSecurityScope.lock.lock()
        defer { StubSecurityScope.lock.unlock() }
        return StubSecurityScope.open[path] ?? 0
    }

    /// Stub only: the next starts are not permitted.
    public func stubDeny() {
        StubSecurityScope.lock.lock()
        defer { StubSecurityScope.lock.unlock() }
        StubSecurityScope.denied.insert(path)
    }
}

private enum StubSecurityScope {
    static let lock = NSLock()
    // Under the lock.
    nonisolated(unsafe) static var open: [String: Int] = [:]
    nonisolated(unsafe) static var denied: Set<String> = []
}
