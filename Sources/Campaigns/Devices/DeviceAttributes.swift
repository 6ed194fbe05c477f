/// The app's own facts about an installation or a person.
public struct DeviceAttributes: Equatable, Sendable {
    /// The text of a JSON object that jsonb can hold.
    public var text: [UInt8]
    /// The bytes that each value takes at most where a template shows it, inside a JSON string and without its quotes.
    public var lengths: [Length]
    /// Whether a member is null: that attribute is removed.
    public var removesSome: Bool

    public struct Length: Equatable, Sendable {
        public let name: String
        public let bytes: Int

        public init(_ name: String, _ bytes: Int) {
            self.name = name
            self.bytes = bytes
        }
    }

    public init(text: [UInt8], lengths: [Length], removesSome: Bool = false) {
        self.text = text
        self.lengths = lengths
        self.removesSome = removesSome
    }

    public static let none = DeviceAttributes(text: Array("{}".utf8), lengths: [])
}
