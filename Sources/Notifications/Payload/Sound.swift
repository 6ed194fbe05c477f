public import JSON

/// The sound of a notification: a file of the app, the default, or, with Apple's permission, a critical alert that
/// overrides the mute switch.
public enum Sound: Sendable, Equatable {
    /// A file's name in the app's bundle or its `Library/Sounds`, or `default`.
    case named(String)
    case critical(CriticalSound)

    /// The dictionary form.
    public struct CriticalSound: Sendable, Equatable {
        public var name: String?
        /// Written as 1 or 0.
        public var critical: Bool?
        /// 0 to 1.
        public var volume: JSON.Number?
        /// All other keys, unchanged.
        public var other: [JSON.Member]
        var keyOrder = KeyOrder()

        public init(
            name: String? = nil, critical: Bool? = nil, volume: JSON.Number? = nil, other: [JSON.Member] = []
        ) {
            self.name = name
            self.critical = critical
            self.volume = volume
            self.other = other
        }
    }
}
