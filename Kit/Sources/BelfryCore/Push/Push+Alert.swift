extension Push {
    /// The text of a push. iOS replaces localization keys by the app's own strings; this value holds them unresolved.
    public struct Alert: Sendable, Equatable {
        public var title: String?
        public var subtitle: String?
        public var body: String?
        public var titleLocalizationKey: String?
        public var localizationKey: String?
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
                if case .array(let arguments) = members["loc-args"] {
                    localizationArguments = arguments.compactMap(\.string)
                }
            default: return nil
            }
        }
    }
}
