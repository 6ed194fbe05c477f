import Foundation

/// Says which request about the installation is next. One is under way at a time, and a `PUT` states the latest state: a
/// slow one can't restore the person who logged out meanwhile, because the logout follows it. Should a copy of it reach
/// the server later still, its `sent_at` is older, and the server ignores it.
///
/// Codable: a logout that was not sent yet survives the end of the process.
public struct RegistrationChain: Sendable, Equatable, Codable {
    public struct Request: Sendable, Equatable {
        public enum Work: Sendable, Equatable {
            /// `PUT …/devices/{installation}` with these members.
            case register(TokenKind, members: [String: JSONValue])
            /// `POST …/devices/{installation}/logout`: all tokens of the installation lose this person, and a repeated
            /// one can't log out the next.
            case logOut(userID: String)
        }

        public let work: Work
        /// The time of the change, which repeated attempts keep: the server orders requests by it.
        public let sentAt: Date
        /// Grows with each change.
        let generation: Int
        /// Grows with each request: a late answer to an earlier one changes nothing.
        let attempt: Int
    }

    private struct Logout: Sendable, Equatable, Codable {
        let userID: String
        let sentAt: Date
        let generation: Int
    }

    /// Nil until the app has asked iOS for the permission's state: without it the server would assume one.
    public private(set) var state: DeviceState?
    public private(set) var user: User?
    private var tokens: [TokenKind: String] = [:]
    private var logouts: [Logout] = []
    private var generation = 0
    private var changedAt = Date.distantPast
    /// The generation that the server has, by the kind of token.
    private var registered: [TokenKind: Int] = [:]
    private var underWay: Int?
    private var attempts = 0

    public init() {}

    private enum CodingKeys: String, CodingKey {
        // Not the request under way: after the end of the process there is none.
        case state, user, tokens, logouts, generation, changedAt, registered
    }

    // MARK: What changes

    /// An equal token is no change; the latest one of a kind counts, also before anything else is known.
    public mutating func register(_ token: DeviceToken, as kind: TokenKind = .alert, at date: Date) {
        guard tokens[kind] != token.hexadecimal else { return }
        change(at: date)
        tokens[kind] = token.hexadecimal
        registered[kind] = nil
    }

    public mutating func update(_ state: DeviceState, at date: Date) {
        guard state != self.state else { return }
        change(at: date)
        self.state = state
    }

    /// Another person who is logged in is logged out first, on all tokens.
    public mutating func logIn(_ user: User, at date: Date) {
        guard user != self.user else { return }
        if let before = self.user, before.id != user.id { logOut(at: date) }
        change(at: date)
        self.user = user
    }

    public mutating func logOut(at date: Date) {
        guard let before = user else { return }
        change(at: date)
        user = nil
        logouts.append(Logout(userID: before.id, sentAt: changedAt, generation: generation))
    }

    /// The server has retired or lost the device: it is registered again.
    public mutating func registerAgain() { registered = [:] }

    /// To be called at each launch: the server learns that the device is still there.
    public mutating func refresh(at date: Date) { change(at: date) }

    /// Two changes within the same millisecond, or after the clock was set back, still need an order.
    private mutating func change(at date: Date) {
        generation += 1
        changedAt = max(date, changedAt.addingTimeInterval(0.001))
    }

    // MARK: What is sent

    /// The request to send now; nil if one is under way, if the server has everything, or if too little is known.
    public mutating func next() -> Request? {
        guard underWay == nil, let request = waiting else { return nil }
        attempts = request.attempt
        underWay = request.attempt
        return request
    }

    private var waiting: Request? {
        if let logout = logouts.first {
            return Request(
                work: .logOut(userID: logout.userID), sentAt: logout.sentAt, generation: logout.generation,
                attempt: attempts + 1)
        }
        guard let state, let kind = tokens.keys.sorted().first(where: { registered[$0] != generation }) else {
            return nil
        }
        var members = state.members
        members["token"] = tokens[kind].map(JSONValue.string)
        members["user_id"] = user.map { .string($0.id) } ?? .null
        if let signature = user?.signature { members["user_id_signature"] = .string(signature) }
        if let person = user?.person { members["person"] = person }
        return Request(
            work: .register(kind, members: members), sentAt: changedAt, generation: generation,
            attempt: attempts + 1)
    }

    /// The request ended. If it failed, `next` gives the latest state, which may be another by now. One that can never
    /// succeed counts as ended well: it is reported, and not repeated.
    public mutating func ended(_ request: Request, succeeded: Bool) {
        guard underWay == request.attempt else { return }
        underWay = nil
        guard succeeded else { return }
        switch request.work {
        case .logOut: logouts.removeAll { $0.generation == request.generation }
        case .register(let kind, let members):
            registered[kind] = request.generation
            if members["person"] != nil, members["person"] == user?.person { user?.person = nil }
        }
    }
}

extension RegistrationChain.Request {
    /// The body, with the time of the change.
    public var body: JSONValue {
        var members: [String: JSONValue]
        switch work {
        case .register(_, let given): members = given
        case .logOut(let userID): members = ["user_id": .string(userID)]
        }
        members["sent_at"] = .string(Event.timestamp(sentAt))
        return .object(members)
    }
}
