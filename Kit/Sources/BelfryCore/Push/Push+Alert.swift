extension Push {
    /// The text of a push. iOS replaces localization keys by the app's own strings; this value holds them unresolved.
    public struct Alert: Sendable {
        /// The first line.
        public var title: String?
        /// The second line.
        public var subtitle: String?
        /// The text; also an alert that is a string.
        public var body: String?
        /// `title-loc-key`: a key of the app's strings.
        public var titleLocalizationKey: String?
        /// `loc-key`: a key of the app's strings, for the body.
        public var localizationKey: String?
        /// `loc-args`, without members that are no strings.
        public var localizationArguments: [String] = []

        /// Nil for a value that is neither a string nor an object.
        init?(_ value: JSONValue) {
            switch value {
            case .string(let text): body = text
            case .object(let members):
                title = members["title"]?.string
                subtitle = members["subtitle"]?.string
                body = members["body"]?.string
                titleLocalizationKey = members["title-loc-key"]?.string
                localizationKey = members["loc-key"]?.string
                localizationArguments = members["loc-args"]?.array?.compactMap(\.string) ?? []
            default: return nil
            }
        }
    }
}
