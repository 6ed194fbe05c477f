import Foundation

/// Says which request about the installation is next. One is under way at a time, and a `PUT` states the latest state: a
/// slow one can't restore the person who logged out meanwhile, because the logout follows it. Should a copy of it reach
/// the server later still, its `sent_at` is older, and the server ignores it.
///
/// Codable: a logout that was not sent yet survives the end of the process.
struct RegistrationChain: Sendable, Equatable, Codable {
    /// A request that is due, or on its way.
    struct Request: Sendable {
        /// The purpose of the request.
        enum Work: Sendable, Equatable {
            /// `PUT …/devices/{installation}`.
            case register(TokenKind)
            /// `POST …/devices/{installation}/logout`: all tokens of the installation lose this person, and a repeated
            /// one can't log out the next.
            case logOut
            /// `PATCH …/devices/{installation}`.
            case update
        }

        let work: Work
        /// The content, without the time.
        let members: [String: JSONValue]
        /// The time of the change, which repeated attempts keep: the server orders requests by it.
        let sentAt: Date
        /// The generation of the state, or the step's number.
        let number: Int
        /// Grows with each request: a late answer to an earlier one changes nothing.
        let attempt: Int
    }

    /// A request that has to reach the server itself, an update or a logout: the next registration does not make up for
    /// it.
    private struct Step: Sendable, Equatable, Codable {
        let isUpdate: Bool
        let members: [String: JSONValue]
        let number: Int
        /// An update gets its time when it is sent first: an earlier one would be older than the registration that made
        /// the device.
        var sentAt: Date?
    }

    private struct Token: Sendable, Equatable, Codable {
        let kind: TokenKind
        var hexadecimal: String
        /// The generation that the server has with this token.
        var registered: Int?
    }

    /// Updates that wait for the server. Of more, the oldest are dropped.
    static let maximumUpdates = 100

    /// The device's state as the server reads it. Nil until the app has asked iOS for the permission's state: without it
    /// the server would assume one.
    private var state: [String: JSONValue]?
    /// The person who is logged in, as the app said last.
    private(set) var user: User?
    /// One of each kind.
    private var tokens: [Token] = []
    private var steps: [Step] = []
    private var stepNumber = 0
    private var generation = 0
    private var changedAt = Date.distantPast
    private var underWay: Int?
    private var attempts = 0

    /// Nothing is known, so nothing is sent.
    init() {}

    private enum CodingKeys: String, CodingKey {
        // Not the request under way: after the end of the process there is none.
        case state, user, tokens, steps, stepNumber, generation, changedAt
    }

    // MARK: What changes

    /// An equal token is no change; the latest one of a kind counts, also before anything else is known.
    mutating func register(_ token: DeviceToken, as kind: TokenKind = .alert, at date: Date) {
        let known = tokens.firstIndex { $0.kind == kind }
        if let known, tokens[known].hexadecimal == token.hexadecimal { return }
        change(at: date)
        if let known { tokens.remove(at: known) }
        tokens.append(Token(kind: kind, hexadecimal: token.hexadecimal))
    }

    /// The present state of the device. An unchanged one sends nothing.
    mutating func update(_ state: DeviceState, at date: Date) {
        let members = state.members
        guard members != self.state else { return }
        change(at: date)
        self.state = members
    }

    /// Another person who is logged in is logged out first, on all tokens.
    mutating func logIn(_ user: User, at date: Date) {
        guard user != self.user else { return }
        if let before = self.user, before.id != user.id { logOut(at: date) }
        change(at: date)
        self.user = user
    }

    /// Nobody is logged in any more. Without a person it changes nothing.
    mutating func logOut(at date: Date) {
        guard let before = user else { return }
        change(at: date)
        user = nil
        append(["user_id": .string(before.id)], isUpdate: false, sentAt: changedAt)
    }

    /// Changes something beside the state: opt-outs, tags, values. The members are those of a `PATCH`. What belongs to
    /// the person goes to the one who is logged in now, also if another one is when it is sent; without anybody it is
    /// left out. Returns false if an older update had to give way.
    @discardableResult
    mutating func update(_ members: [String: JSONValue]) -> Bool {
        var members = members
        if let user, members["person"] != nil {
            members["user_id"] = .string(user.id)
            if let signature = user.signature { members["user_id_signature"] = .string(signature) }
        } else {
            members["person"] = nil
        }
        guard !members.isEmpty else { return true }
        append(members, isUpdate: true, sentAt: nil)
        let updates = steps.indices.filter { steps[$0].isUpdate }
        guard updates.count > Self.maximumUpdates, let oldest = updates.first else { return true }
        steps.remove(at: oldest)
        return false
    }

    private mutating func append(_ members: [String: JSONValue], isUpdate: Bool, sentAt: Date?) {
        // Wraps around: a damaged file may hold any number.
        stepNumber &+= 1
        steps.append(Step(isUpdate: isUpdate, members: members, number: stepNumber, sentAt: sentAt))
    }

    /// The server refused the person of this request, because their signature is missing or wrong. Nobody is logged in
    /// then, so the device is registered at least, and what was to reach the person is dropped.
    mutating func refusedPerson(of request: Request, at date: Date) {
        guard underWay == request.attempt else { return }
        underWay = nil
        let id = request.members["user_id"]?.string
        switch request.work {
        case .logOut, .update: removeStep(of: request)
        case .register where request.number == Self.earlierGeneration:
            steps.removeAll { $0.isUpdate && $0.members["user_id"]?.string == id }
        case .register:
            // Somebody else may have logged in meanwhile, or the same person with another signature.
            guard let user, user.id == id, user.signature == request.members["user_id_signature"]?.string else {
                return
            }
            self.user = nil
            change(at: date)
        }
    }

    private mutating func removeStep(of request: Request) { steps.removeAll { $0.number == request.number } }

    /// The server has retired or lost the device: it is registered again.
    mutating func registerAgain() {
        for index in tokens.indices { tokens[index].registered = nil }
        // The update follows the registration, and is later than it.
        for index in steps.indices where steps[index].isUpdate { steps[index].sentAt = nil }
    }

    /// To be called at each launch: the server learns that the device is still there. A registration that waits anyway
    /// says so, too.
    mutating func refresh(at date: Date) {
        guard tokens.contains(where: { $0.registered == generation }) else { return }
        change(at: date)
    }

    /// Two changes within the same millisecond, or after the clock was set back, still need an order.
    private mutating func change(at date: Date) {
        generation &+= 1
        changedAt = max(date, changedAt.addingTimeInterval(0.001))
    }

    // MARK: What is sent

    /// True if the server has the device, as far as the app knows.
    var isRegistered: Bool { tokens.contains { $0.registered != nil } }

    /// The request to send now; nil if one is under way, if the server has everything, or if too little is known.
    mutating func next(at date: Date) -> Request? {
        guard underWay == nil, let request = waiting(at: date) else { return nil }
        attempts = request.attempt
        underWay = request.attempt
        return request
    }

    private mutating func waiting(at date: Date) -> Request? {
        // A device that the server does not have can't be updated; a logout has its time from the beginning.
        if let step = steps.first, isRegistered || step.sentAt != nil { return request(of: step, at: date) }
        guard var members = state, let token = tokens.first(where: { $0.registered != generation }) else { return nil }
        members["token"] = .string(token.hexadecimal)
        let earlier = earlierUser
        let user = earlier ?? user
        members["user_id"] = user.map { .string($0.id) } ?? .null
        if let signature = user?.signature { members["user_id_signature"] = .string(signature) }
        if let person = user?.person { members["person"] = person }
        return Request(
            work: .register(token.kind), members: members, sentAt: changedAt,
            number: earlier == nil ? generation : Self.earlierGeneration, attempt: attempts + 1)
    }

    /// Not the present one: the registration is followed by another.
    private static let earlierGeneration = -1

    /// The person to whom the first waiting update belongs, if another one is logged in now. A device that is registered
    /// again before that update is registered for them: the server gives nobody's device to a person by an update, and
    /// an update that did would undo the logout that follows.
    private var earlierUser: User? {
        for step in steps where step.isUpdate {
            guard let id = step.members["user_id"]?.string else { continue }
            return id == user?.id ? nil : User(id: id, signature: step.members["user_id_signature"]?.string)
        }
        return nil
    }

    private mutating func request(of step: Step, at date: Date) -> Request {
        if step.sentAt == nil { changedAt = max(date, changedAt.addingTimeInterval(0.001)) }
        let sentAt = step.sentAt ?? changedAt
        steps[0].sentAt = sentAt
        return Request(
            work: step.isUpdate ? .update : .logOut, members: step.members, sentAt: sentAt, number: step.number,
            attempt: attempts + 1)
    }

    /// The request ended. If it failed, `next` gives the latest state, which may be another by now. One that can never
    /// succeed counts as ended well: it is reported, and not repeated.
    mutating func ended(_ request: Request, succeeded: Bool) {
        guard underWay == request.attempt else { return }
        underWay = nil
        guard succeeded else { return }
        switch request.work {
        case .logOut, .update: removeStep(of: request)
        case .register(let kind):
            for index in tokens.indices where tokens[index].kind == kind { tokens[index].registered = request.number }
            if let person = request.members["person"], person == user?.person { user?.person = nil }
        }
    }
}

extension RegistrationChain.Request {
    /// The body, with the time of the change.
    var body: JSONValue {
        var members = members
        members["sent_at"] = .string(Event.timestamp(sentAt))
        return .object(members)
    }
}
