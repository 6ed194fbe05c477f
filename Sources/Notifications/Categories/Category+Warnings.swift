public import JSON

extension Category {
    /// Buttons that a person still takes in, and that older systems showed.
    public static let recommendedActions = 4
    /// Buttons of a banner; the others show when it is opened.
    public static let bannerActions = 2

    /// What iOS accepts and a person should know. The paths are those of `json`.
    public var warnings: [Problem] {
        actionCount() + formats() + announcement()
    }

    /// What is wrong only among all categories of an app. The paths begin with the index in `categories`.
    public static func warnings(among categories: [Category]) -> [Problem] {
        var problems: [Problem] = []
        var categoryNames: Set<String> = []
        var owners: [String: String] = [:]
        for (index, category) in categories.enumerated() {
            if !categoryNames.insert(category.identifier).inserted {
                problems.append(
                    .warning(
                        "identifier", "category-twice",
                        "is the identifier of another category too: the phone keeps one of them"
                    ).inside("[\(index)]"))
            }
            for (place, action) in category.actions.enumerated() {
                if let owner = owners[action.identifier] {
                    problems.append(
                        .warning(
                            "actions[\(place)].identifier", "action-in-other-category",
                            "is an action of the category \(owner) too: Apple wants it unique in the whole app"
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
                    "are \(actions.count): more than \(Self.recommendedActions) are not shown everywhere, "
                        + "and few people read them"))
        }
        if actions.count > Self.bannerActions {
            problems.append(
                .warning(
                    Key.actions.rawValue, "more-than-two-in-banner",
                    "are \(actions.count): a banner shows only the first \(Self.bannerActions), "
                        + "so put the important ones first"))
        }
        return problems
    }

    private func formats() -> [Problem] {
        let texts: [(Key, LocalizedText?, [String], String)] = [
            (.hiddenPreviewsBodyPlaceholder, hiddenPreviewsBodyPlaceholder, ["u"], "%u, the number of notifications"),
            (
                .categorySummaryFormat, categorySummaryFormat, ["u", "@"],
                "%u, the number of further notifications, and %@, whom they are from"
            ),
        ]
        return texts.flatMap { key, text, known, words -> [Problem] in
            guard let text else { return [] }
            let variants = text.variants.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) }
            return ([(LocalizedText.standardKey, text.standard)] + variants).compactMap { language, text in
                guard let unknown = FormatText.placeholders(text).first(where: { !known.contains($0) }) else {
                    return nil
                }
                return .warning(
                    "\(key.rawValue).\(language)", "unknown-placeholder",
                    "holds %\(unknown), but iOS fills in only \(words); write %% for a percent sign")
            }
        }
    }

    private func announcement() -> [Problem] {
        guard options.contains(.allowAnnouncement), let index = options.names.firstIndex(of: "allowAnnouncement")
        else { return [] }
        return [
            .warning(
                "\(Key.options.rawValue)[\(index)]", "announcement-ignored",
                "allowAnnouncement has no effect since iOS 15, where people choose for themselves")
        ]
    }
}

/// A text with placeholders as Foundation's formats have them: `%u`, `%1$@`, and `%%` for a percent sign.
enum FormatText {
    /// What follows on each percent sign, without a position; empty where the text ends on one.
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
