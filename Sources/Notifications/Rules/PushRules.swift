public import JSON

/// The headers of a push, and Apple's rules for a payload with them.
///
/// Checked when content is saved, not when it is sent. The rules need no clock: the sender checks whether an expiration
/// has passed.
///
/// Docs/decisions/content.md explains why the simulator has rules of its own.
public struct PushRules: Sendable, Equatable {
    public var pushType: PushType
    /// Nil means the push type's default.
    public var priority: Priority?
    /// `apns-expiration` in seconds since 1970: 0 means one attempt; with nil, Apple decides how long it stores it.
    public var expiration: Int?
    /// As entered, so that its problems are reported together with the others.
    public var collapseID: String?
    /// The custom key of the message id, whose bytes count toward the size; nil if there is none.
    public var messageIDKey: String?
    public var destination: Destination

    public enum Destination: Sendable {
        case device
        /// All Live Activities that listen to a channel (Apple, "Sending broadcast push notification requests").
        case channel
    }

    /// The length of a message id in the payload: the characters of a UUID.
    public static let messageIDLength = 36
    /// An expiration of this or more is treated as milliseconds: in seconds it is the year 5138.
    public static let maximumExpiration = 100_000_000_000
    /// The largest payload of a push to a channel, in bytes of UTF-8.
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

    /// All problems of every severity. A payload built in code is also checked by the rules of `Payload.init(json:)`.
    public func problems(in payload: Payload) -> [Problem] {
        headerProblems() + formProblems(payload) + ruleProblems(payload) + sizeProblems(payload.json)
    }

    /// All problems of a payload as it was written. If `Payload.init(json:)` rejects it, its problems are returned
    /// together with the errors of the rest, without warnings and notes.
    public func problems(in json: JSON) -> [Problem] {
        let (payload, form) = Payload.reading(json)
        guard !form.isEmpty else { return problems(in: payload) }
        // A value that could not be read also seems to be missing; that is not a second problem.
        let rules = ruleProblems(payload).filter { problem in
            !form.contains { ProblemPath.isOneInTheOther($0.path, problem.path) }
        }
        return (headerProblems() + form + rules + sizeProblems(json)).filter { $0.severity == .error }
    }

    /// The size of `payload` as sent, with the message id, in bytes.
    public func size(of payload: Payload) -> Int {
        size(of: payload.json)
    }

    private func size(of json: JSON) -> Int {
        guard let messageIDKey, case .object(let members) = json else { return json.encoded().count }
        let messageID = JSON.Member(messageIDKey, .string(String(repeating: "0", count: Self.messageIDLength)))
        return JSON.object(members + [messageID]).encoded().count
    }

    /// The limit of `size(of:)`, in bytes.
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

    /// Problems of a payload that could be read.
    private func ruleProblems(_ payload: Payload) -> [Problem] {
        let aps = payload.aps ?? APS()
        return contentProblems(aps) + bodyProblems(payload) + customProblems(payload) + keyProblems(aps)
    }

    private func sizeProblems(_ json: JSON) -> [Problem] {
        let size = size(of: json)
        guard size > maximumSize else { return [] }
        let withID: Message = messageIDKey == nil ? "" : " with the message id"
        let pushes: Message =
            switch destination {
            case .device: "\(pushType.rawValue) pushes"
            case .channel: "pushes to a channel"
            }
        return [
            .error(
                "", "payload-too-large",
                "the payload is \(size) bytes long\(withID); \(pushes) can have at most \(maximumSize) bytes")
        ]
    }
}
