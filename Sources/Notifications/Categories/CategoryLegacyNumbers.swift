/// Names of variables in generated source, since identifiers may contain characters that no language allows in names.
struct LegacyVariableNames {
    struct Action {
        let name: String
        let action: LegacyCategory.Action
        let titleKey: String
        let buttonTitleKey: String
    }

    struct Category {
        let name: String
        let identifier: String
        let actionNames: [String]

        func names(in context: LegacyCategory.Context) -> String {
            actionNames.prefix(context.maximumActions).joined(separator: ", ")
        }
    }

    private(set) var actions: [Action] = []
    private(set) var categories: [Category] = []

    init(_ sources: [Notifications.Category]) {
        for source in sources {
            let legacy = LegacyCategory(source)
            var names: [String] = []
            for (action, old) in zip(source.actions, legacy.actions) {
                names.append("action\(actions.count + 1)")
                actions.append(
                    Action(
                        name: names[names.count - 1], action: old, titleKey: action.titleKey(in: source),
                        buttonTitleKey: action.buttonTitleKey(in: source)))
            }
            categories.append(
                Category(name: "category\(categories.count + 1)", identifier: legacy.identifier, actionNames: names))
        }
    }

    var categoryNames: String {
        categories.map(\.name).joined(separator: ", ")
    }
}
