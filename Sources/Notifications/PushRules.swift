/// What is to go around a payload, and what Apple says about the two together.
///
/// Checked when content is saved, not when it is sent. The rules need no clock: whether an expiration has passed is for
/// the sender.
public struct PushRules: Sendable, Equatable {
    public var pushType: PushType
    /// Nil stands for the push type's default.
    public var priority: Priority?
    /// `apns-expiration` in UNIX seconds: 0 is one attempt, nil leaves the storing to Apple.
    public var expiration: Int?
    /// As typed, so that its faults come with the others.
    public var collapseID: String?
    /// The custom key that the message id goes under, whose bytes count; nil if there is none.
    public var messageIDKey: String?

    /// What a message id looks like in the payload: the characters of a UUID.
    public static let messageIDLength = 36
    /// An expiration of this size or more is taken for milliseconds: in seconds it is the year 5138.
    public static let maximumExpiration = 100_000_000_000

    public init(
        pushType: PushType = .alert, priority: Priority? = nil, expiration: Int? = nil, collapseID: String? = nil,
        messageIDKey: String? = "i"
    ) {
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.messageIDKey = messageIDKey
    }

    /// All problems at once, errors and warnings; what `Payload.init(json:)` refuses is found in a payload built by
    /// hand too.
    public func problems(in payload: Payload) -> [Problem] {
        headerProblems() + formProblems(payload) + contentProblems(payload.aps ?? APS()) + customProblems(payload)
            + sizeProblems(payload)
    }

    /// The bytes that `payload` has on the wire, with the message id.
    public func size(of payload: Payload) -> Int {
        guard let messageIDKey else { return payload.encoded().count }
        let messageID = String(repeating: "0", count: Self.messageIDLength)
        var complete = payload
        complete.custom.append(JSON.Member(messageIDKey, .string(messageID)))
        return complete.encoded().count
    }

    private func headerProblems() -> [Problem] {
        var problems: [Problem] = []
        if pushType == .background, let priority, priority != .powerAware {
            problems.append(
                Problem(
                    path: "apns-priority", code: "background-priority",
                    message: "must be 5 for a background push, not \(priority.rawValue)"))
        }
        if let expiration, expiration < 0 || expiration >= Self.maximumExpiration {
            problems.append(
                Problem(
                    path: "apns-expiration", code: "out-of-range",
                    message: "must be a time in seconds since 1970, or 0 for a single attempt, not \(expiration)"
                        + (expiration < 0 ? "" : ", which looks like milliseconds")))
        }
        if let collapseID {
            do throws(InvalidValue) {
                _ = try CollapseID(collapseID)
            } catch {
                problems.append(error.problem(at: "apns-collapse-id"))
            }
        }
        return problems
    }

    private func formProblems(_ payload: Payload) -> [Problem] {
        var payload = payload
        payload.custom.removeAll { $0.key == Payload.Key.aps.rawValue }  // has a rule of its own
        do throws(PayloadProblems) {
            _ = try Payload(json: payload.json)
            return []
        } catch {
            return error.problems
        }
    }

    private func sizeProblems(_ payload: Payload) -> [Problem] {
        let size = size(of: payload)
        guard size > pushType.maximumPayloadSize else { return [] }
        let withID = messageIDKey == nil ? "" : " with the message id"
        return [
            Problem(
                path: "", code: "payload-too-large",
                message: "the payload is \(size) bytes long\(withID); \(pushType.rawValue) pushes may have at most "
                    + "\(pushType.maximumPayloadSize)")
        ]
    }
}
