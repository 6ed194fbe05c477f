import Administration
import Campaigns
import Crypto
import EventLoop
import JSON

/// Hashes passwords beside the event loops. Each hash takes a tenth of a second and 32 MB, so only a few are computed
/// at a time, and only `maximumWaiting` wait.
public final class PasswordHasher: Sendable {
    static let maximumRunning = 2
    static let maximumWaiting = 32
    /// Places in a queue of their own, which goes first, for people who signed in from the same network or browser
    /// before: others can't keep them out.
    static let maximumKnownWaiting = 16

    private struct State {
        var running = 0
        var known: [UnsafeContinuation<Bool, Never>] = []
        var strangers: [UnsafeContinuation<Bool, Never>] = []

        /// False if the queue is full.
        mutating func enqueue(_ continuation: UnsafeContinuation<Bool, Never>, isKnown: Bool) -> Bool {
            if isKnown, known.count < maximumKnownWaiting {
                known.append(continuation)
            } else if strangers.count < maximumWaiting {
                strangers.append(continuation)
            } else {
                return false
            }
            return true
        }

        mutating func next() -> UnsafeContinuation<Bool, Never>? {
            if !known.isEmpty { return known.removeFirst() }
            return strangers.isEmpty ? nil : strangers.removeFirst()
        }
    }

    private let state = Lock(State())

    public init() {}

    /// The hash to store, of somebody who has proven who they are. Throws `signInBusy` when too many wait.
    public func hash(_ password: String) async throws -> String {
        try await inTurn(isKnown: true) { try await Self.make(password) }
    }

    /// Whether the password belongs to the hash. Without a hash, the answer is no, after the same time. Throws
    /// `signInBusy` when too many wait. `isKnown` says that the person signed in from there before.
    public func verify(_ password: String, against hash: String?, isKnown: Bool) async throws -> Bool {
        let isRight = try await inTurn(isKnown: isKnown) { try await Self.check(password, hash ?? Self.nobodysHash) }
        return isRight && hash != nil
    }

    /// No password is known that has this hash.
    private static let nobodysHash =
        "$scrypt$ln=15,r=8,p=1$4N6bMzg8tHkqYmC0rSXVwQ$yqD0bX3Ks7mYzjP6q2Jb3mWUu8hCZ1m8k0Wf3d5vR7o"

    private func inTurn<Value: Sendable>(isKnown: Bool, _ work: () async throws -> Value) async throws -> Value {
        try await takeTurn(isKnown: isKnown)
        defer { endTurn() }
        return try await work()
    }

    private func takeTurn(isKnown: Bool) async throws {
        // Nothing may be decided before: the body of the continuation runs later.
        let hasTurn = await withUnsafeContinuation { continuation in
            let isDecided = state.withLock { state -> Bool? in
                if state.running < Self.maximumRunning {
                    state.running += 1
                    return true
                }
                return state.enqueue(continuation, isKnown: isKnown) ? nil : false
            }
            if let isDecided { continuation.resume(returning: isDecided) }
        }
        guard hasTurn else { throw Refusal.signInBusy }
    }

    /// The turn passes to the next one who waits.
    private func endTurn() {
        let next = state.withLock { state -> UnsafeContinuation<Bool, Never>? in
            let next = state.next()
            if next == nil { state.running -= 1 }
            return next
        }
        next?.resume(returning: true)
    }

    private static func make(_ password: String) async throws -> String {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try await compute(password) }
    }

    private static func check(_ password: String, _ hash: String) async throws -> Bool {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { try await compare(password, hash) }
    }

    // Keyboards write é as one character or as two: both are one password.
    @concurrent
    private static func compute(_ password: String) async throws -> String { try PasswordHash.make(password.composed) }

    @concurrent
    private static func compare(_ password: String, _ hash: String) async throws -> Bool {
        try PasswordHash.verify(password.composed, against: hash)
    }
}
