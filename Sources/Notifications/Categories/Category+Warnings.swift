public import JSON

extension Category {
    /// The most buttons that people can grasp and that older systems show.
    public static let recommendedActions = 4
    /// Buttons of a banner; the others are shown when it is opened.
    public static let bannerActions = 2

    /// Findings that iOS accepts but a person should know. The paths are those of `json`.
    public var warnings: [Problem] {
        actionCount() + formats() + announcement()
    }

    /// Conflicts between the categories of an app. The paths begin with the index in `categories`.
    public static func warnings(among categories: [Category]) -> [Problem] {
        var problems: [Problem] = []
        var categoryNames: Set<String> = []
        var owners: [String: String] = [:]
        for (index, category) in categories.enumerated() {
            if !categoryNames.insert(category.identifier).inserted {
                problems.append(
                    .warning(
                        "identifier", "duplicate-category",
                        "is also the identifier of another category: the device uses only one of them"
                    ).inside("[\(index)]"))
            }
            for (actionIndex, action) in category.actions.enumerated() {
                if let owner = owners[action.identifier] {
                    problems.append(
                        .warning(
                            "actions[\(actionIndex)].identifier", "action-in-other-category",
                            "is also an action of the category \(owner): Apple requires unique identifiers in an app"
                        ).inside("[\(index)]"))
                } else {
                    owners[action.identifier] = category.identifier
                }
            }
        }
        return problems
    }

    private func actionCount() -> [Problem] {
        var problems: [Problem] = []
        if actions.count > Self.recommendedActions {
            problems.append(
                .warning(
                    Key.actions.rawValue, "more-than-four-actions",
                    "has \(actions.count) actions: not all devices show more than \(Self.recommendedActions), "
                        + "and few people read them"))
        }
        if actions.count > Self.bannerActions {
            problems.append(
                .warning(
                    Key.actions.rawValue, "more-than-two-in-banner",
                    "has \(actions.count) actions: a banner shows only the first \(Self.bannerActions), "
                        + "so list the most important ones first"))
        }
        return problems
    }

    private func formats() -> [Problem] {
        let texts: [(Key, LocalizedText?, [String], Message)] = [
            (.hiddenPreviewsBodyPlaceholder, hiddenPreviewsBodyPlaceholder, ["u"], "%u, the number of notifications"),
            (
                .categorySummaryFormat, categorySummaryFormat, ["u", "@"],
                "%u, the number of further notifications, and %@, the names of their senders"
            ),
        ]
        return texts.flatMap { key, text, known, meanings -> [Problem] in
            guard let text else { return [] }
            let variants = text.variants.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) }
            return ([(LocalizedText.standardKey, text.standard)] + variants).compactMap { language, text in
                guard let unknown = FormatText.placeholders(text).first(where: { !known.contains($0) }) else {
                    return nil
                }
                return .warning(
                    "\(key.rawValue).\(language)", "unknown-placeholder",
                    "contains %\(unknown), but iOS replaces only \(meanings); write %% for a percent sign")
            }
        }
    }

    private func announcement() -> [Problem] {
        guard options.contains(.allowAnnouncement), let index = options.names.firstIndex(of: "allow_announcement")
        else { return [] }
        return [
            .warning(
                "\(Key.options.rawValue)[\(index)]", "announcement-ignored",
                "has no effect since iOS 15, where people choose in the settings of the device")
        ]
    }
}

/// Finds the placeholders of Foundation's formats in a text: `%u`, `%1$@`; `%%` is a percent sign.
enum FormatText {
    /// The character after each percent sign, without a position; empty if the text ends with one.
    static func placeholders(_ text: String) -> [String] {
        var placeholders: [String] = []
        var rest = text[...]
        while let percent = rest.firstIndex(of: "%") {
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                rest.removeFirst()
                continue
            }
            let afterDigits = rest.drop { $0.isASCII && $0.isNumber }
            if afterDigits.count < rest.count, afterDigits.first == "$" { rest = afterDigits.dropFirst() }
            placeholders.append(String(rest.prefix(1)))
        }
        return placeholders
    }
}
