import Foundation

/// The time and the waits of a client, which tests replace.
public protocol ClientClock: Sendable {
    /// The device's time, which the person can set.
    var now: Date { get }
    /// Waits, or throws `CancellationError`.
    func sleep(seconds: TimeInterval) async throws
}

/// The system's clock.
public struct SystemClock: ClientClock {
    /// The clock has no state.
    public init() {}

    public var now: Date { Date() }

    public func sleep(seconds: TimeInterval) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, min(seconds, 86_400)) * 1_000_000_000))
    }
}
