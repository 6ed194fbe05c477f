/// The program of an assistant that calls the API for a person or with a key, while it does so.
enum Assistant {
    /// Characters of a name.
    static let maximumNameLength = 60

    /// The name that the assistant gives itself. The audit log has it beside that of the caller.
    @TaskLocal static var name: String?

    /// A name of one line, without what does not show; nil if nothing is left.
    static func name(from text: String?) -> String? {
        let shown = (text ?? "").unicodeScalars.filter { !$0.properties.generalCategory.isControl }
        let name = String(String.UnicodeScalarView(shown)).prefix(maximumNameLength)
        return name.isEmpty ? nil : String(name)
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isControl: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
        default: false
        }
    }
}
