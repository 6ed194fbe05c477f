import Foundation

/// Says which registration is next. One request is under way at a time, and each states the latest state: a slow `PUT`
/// can't restore the person who logged out meanwhile, because the logout is sent after it has ended. Should it reach
/// the server later still, its `sent_at` is older, and the server ignores it.
public struct RegistrationChain: Sendable, Equatable {
    public struct Request: Sendable, Equatable {
        /// Grows with each change of the state.
        public let generation: Int
        public let state: DeviceState
        /// The time of the change, which repeated attempts keep: the server orders registrations by it.
        public let sentAt: Date
    }

    private var latest: Request?
    private var underWay: Int?
    private var registered: Int?
    private var generation = 0

    public init() {}

    /// The state that the next request states; nil before the first token.
    public var state: DeviceState? { latest?.state }

    /// Replaces the state; an equal one is no change. A token that arrives before anything else starts the chain.
    public mutating func update(_ state: DeviceState, at date: Date) {
        guard state != latest?.state else { return }
        generation += 1
        // Two changes within the same millisecond, or after the clock was set back, still need an order.
        let sentAt = latest.map { max(date, $0.sentAt + 0.001) } ?? date
        latest = Request(generation: generation, state: state, sentAt: sentAt)
    }

    public mutating func logIn(_ user: DeviceState.User, at date: Date) { setUser(user, at: date) }

    /// States null for the person.
    public mutating func logOut(at date: Date) { setUser(nil, at: date) }

    private mutating func setUser(_ user: DeviceState.User?, at date: Date) {
        guard var state = latest?.state else { return }
        state.user = user
        update(state, at: date)
    }

    /// The server has retired or lost the device: the same state is sent again.
    public mutating func registerAgain() { registered = nil }

    /// The request to send now; nil if one is under way, or if the server has the latest state.
    public mutating func next() -> Request? {
        guard underWay == nil, let latest, latest.generation != registered else { return nil }
        underWay = latest.generation
        return latest
    }

    /// The request ended. If it failed, `next` gives the latest state, which may be another by now.
    public mutating func ended(_ request: Request, succeeded: Bool) {
        guard underWay == request.generation else { return }
        underWay = nil
        if succeeded { registered = request.generation }
    }
}
