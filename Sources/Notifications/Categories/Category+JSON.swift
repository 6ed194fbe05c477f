public import JSON

extension Category {
    enum Key: String, MemberName {
        case identifier
        case actions
        case intentIdentifiers = "intent_identifiers"
        case hiddenPreviewsBodyPlaceholder = "hidden_previews_body_placeholder"
        case categorySummaryFormat = "category_summary_format"
        case options
        case optionNames = "option_names"
        case contentExtension = "content_extension"
    }

    /// Throws all problems that would prevent an app from registering the category. Other findings are in `warnings`.
    public init(json: JSON) throws(Problems) {
        self = try ObjectReader.document(json, named: "the category") { Category(&$0) }
    }

    private init(_ reader: inout ObjectReader) {
        reader.require(Key.identifier)
        Self.refuseTooMany(&reader)
        Self.refuseDuplicateActions(&reader)
        identifier = reader.value(Key.identifier, ClientIdentifier.check) ?? ""
        actions = reader.closedObjects(Key.actions) { Action(&$0) } ?? []
        intentIdentifiers = reader.values(Key.intentIdentifiers, ClientIdentifier.check) ?? []
        hiddenPreviewsBodyPlaceholder = reader.localizedText(Key.hiddenPreviewsBodyPlaceholder)
        categorySummaryFormat = reader.localizedText(Key.categorySummaryFormat)
        options = reader.options(Key.options)
        contentExtension = reader.closedObject(Key.contentExtension) { ContentExtension(&$0) }
    }

    private static func refuseTooMany(_ reader: inout ObjectReader) {
        for (key, maximum) in [(Key.actions, maximumActions), (.intentIdentifiers, maximumIntentIdentifiers)] {
            let count = reader.elements(of: key).count
            guard count > maximum else { continue }
            reader.refuse(key, "too-many", "must contain at most \(maximum), not \(count)")
        }
    }

    /// Duplicate identifiers would hide which button was tapped.
    private static func refuseDuplicateActions(_ reader: inout ObjectReader) {
        var seen: Set<String> = []
        for (index, action) in reader.elements(of: Key.actions).enumerated() {
            guard case .string(let identifier) = action[Action.Key.identifier.rawValue] else { continue }
            guard !seen.insert(identifier).inserted else { continue }
            reader.refuse(
                at: ProblemPath.element(index, of: Key.actions.rawValue) + ".identifier", "duplicate-action",
                "must be different from the identifiers of the actions before it")
        }
    }

    /// Every field, in the form that `init(json:)` reads, without absent ones.
    public var json: JSON {
        var members: [JSON.Member] = []
        members.append(Key.identifier, .string(identifier))
        members.append(Key.actions, .array(actions.map(\.json)))
        members.append(Key.intentIdentifiers, .array(intentIdentifiers.map { .string($0) }))
        members.append(Key.hiddenPreviewsBodyPlaceholder, hiddenPreviewsBodyPlaceholder?.json)
        members.append(Key.categorySummaryFormat, categorySummaryFormat?.json)
        members.append(Key.options, options.json)
        members.append(Key.contentExtension, contentExtension?.json)
        return .object(members)
    }
}
