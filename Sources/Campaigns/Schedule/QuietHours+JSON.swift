public import JSON
import Notifications

extension QuietHours {
    private enum Key: String, MemberName {
        case from, to, policy
    }

    /// Reads `{"from":"22:00","to":"08:00","policy":"hold"}`; without a policy they hold.
    public init(json: JSON) throws(Problems) {
        self = try ObjectReader.document(json, named: "the quiet hours") { QuietHours(&$0) }
    }

    private init(_ reader: inout ObjectReader) {
        reader.require(Key.from, Key.to)
        let from = reader.value(Key.from, Self.minute)
        let to = reader.value(Key.to, Self.minute)
        if let from, from == to {
            reader.refuse(Key.to, "same-time", "must be different from `from`; omit the quiet hours to have none")
        }
        self.from = from ?? 0
        self.to = to ?? 0
        policy = reader.choice(Key.policy) ?? .hold
    }

    private static func minute(_ text: String) throws(InvalidValue) -> Int {
        var reader = TimeReader(text)
        guard let hour = reader.number(2, 0...23), reader.skip(":"), let minute = reader.number(2, 0...59),
            reader.isAtEnd
        else { throw InvalidValue("invalid-time-of-day", "must be a time of the day from 00:00 to 23:59, like 22:00") }
        return hour * 60 + minute
    }

    public var json: JSON {
        var members: [JSON.Member] = []
        members.append(Key.from, .string(Self.text(from)))
        members.append(Key.to, .string(Self.text(to)))
        members.append(Key.policy, .string(policy.rawValue))
        return .object(members)
    }

    private static func text(_ minute: Int) -> String { "\((minute / 60).digits(2)):\((minute % 60).digits(2))" }

    /// "from 22:00 to 08:00".
    public var summary: String { "from \(Self.text(from)) to \(Self.text(to))" }
}
