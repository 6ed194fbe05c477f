public import JSON

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
    public var destination: Destination

    public enum Destination: Sendable {
        case device
        /// All Live Activities that listen to a channel (Apple, "Sending broadcast push notification requests").
        case channel
    }

    /// What a message id looks like in the payload: the characters of a UUID.
    public static let messageIDLength = 36
    /// An expiration of this size or more is taken for milliseconds: in seconds it is the year 5138.
    public static let maximumExpiration = 100_000_000_000
    /// Bytes of UTF-8 in the request's body, at most, in a push to a channel.
    public static let maximumBroadcastSize = 5120

    public init(
        pushType: PushType = .alert, priority: Priority? = nil, expiration: Int? = nil, collapseID: String? = nil,
        messageIDKey: String? = "i", destination: Destination = .device
    ) {
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.messageIDKey = messageIDKey
        self.destination = destination
    }

    /// All problems at once, of every severity; what `Payload.init(json:)` refuses is found in a payload built by hand
    /// too.
    public func problems(in payload: Payload) -> [Problem] {
        headerProblems() + formProblems(payload) + ruleProblems(payload) + sizeProblems(payload.json)
    }

    /// All problems of a payload as it was written. What `Payload.init(json:)` refuses comes together with the errors
    /// that the rest has; warnings and notes wait until it can be read whole.
    public func problems(in json: JSON) -> [Problem] {
        let (payload, form) = Payload.reading(json)
        guard !form.isEmpty else { return problems(in: payload) }
        // What could not be read seems to be missing; that is no fault of its own.
        let rules = ruleProblems(payload).filter { problem in
            !form.contains { ProblemPath.isOneInTheOther($0.path, problem.path) }
        }
        return (headerProblems() + form + rules + sizeProblems(json)).filter { $0.severity == .error }
    }

    /// The bytes that `payload` has on the wire, with the message id.
    public func size(of payload: Payload) -> Int {
        size(of: payload.json)
    }

    private func size(of json: JSON) -> Int {
        guard let messageIDKey, case .object(let members) = json else { return json.encoded().count }
        let messageID = JSON.Member(messageIDKey, .string(String(repeating: "0", count: Self.messageIDLength)))
        return JSON.object(members + [messageID]).encoded().count
    }

    /// Bytes that `size(of:)` may be, at most.
    public var maximumSize: Int {
        switch destination {
        case .device: pushType.maximumPayloadSize
        case .channel: Self.maximumBroadcastSize
        }
    }

    private func formProblems(_ payload: Payload) -> [Problem] {
        var payload = payload
        payload.custom.removeAll { $0.key == Payload.Key.aps.rawValue }  // has a rule of its own
        do throws(Problems) {
            _ = try Payload(json: payload.json)
            return []
        } catch {
            return error.problems
        }
    }

    /// What can be said of a payload that holds what it should.
    private func ruleProblems(_ payload: Payload) -> [Problem] {
        let aps = payload.aps ?? APS()
        return contentProblems(aps) + bodyProblems(payload) + customProblems(payload) + keyProblems(aps)
    }

    private func sizeProblems(_ json: JSON) -> [Problem] {
        let size = size(of: json)
        guard size > maximumSize else { return [] }
        let withID = messageIDKey == nil ? "" : " with the message id"
        let pushes =
            switch destination {
            case .device: "\(pushType.rawValue) pushes"
            case .channel: "pushes to a channel"
            }
        return [
            .error(
                "", "payload-too-large",
                "the payload is \(size) bytes long\(withID); \(pushes) may have at most \(maximumSize)")
        ]
    }
}
