import Foundation

/// A value behind a lock, for what several threads share without waiting for an actor. iOS 13 has no `Mutex`.
///
/// Unchecked, because the compiler cannot see that the value is only reached under the lock.
public final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    /// The value is reached under the lock only.
    public init(_ value: Value) { self.value = value }

    /// Runs the body while no other thread has the value. It must be short, and must not call back.
    public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
