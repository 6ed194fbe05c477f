import JSON

extension PushRules {
    /// Problems of the buttons that were typed for this push.
    func buttonProblems(_ payload: Payload) -> [Problem] {
        let key = PushButton.payloadKey
        guard let value = payload.custom.first(where: { $0.key == key })?.value else { return [] }
        var reader = ObjectReader([JSON.Member(key, value)])
        let buttons = reader.closedObjects(key) { PushButton(&$0) } ?? []
        var problems = reader.problems
        if reader.problems.isEmpty, !(1...PushButton.maximumCount ~= buttons.count) {
            problems.append(
                .error(
                    key, "button-count",
                    "must have 1 to \(PushButton.maximumCount) buttons, not \(buttons.count); without buttons, leave it out"
                ))
        }
        for (index, button) in buttons.enumerated() where buttons[..<index].contains(where: { $0.id == button.id }) {
            problems.append(
                .error(
                    "\(key)[\(index)].id", "duplicate-button",
                    "is the id of another button, too; events could not tell them apart"))
        }
        return problems + conditions(payload.aps ?? APS(), key)
    }

    /// The conditions under which a phone shows them.
    private func conditions(_ aps: APS, _ key: String) -> [Problem] {
        var problems: [Problem] = []
        if aps.category?.isEmpty == false {
            problems.append(
                .error(
                    APS.Key.category.path, "category-and-buttons",
                    "can't be combined with typed buttons: a notification has the buttons of one category; remove one of "
                        + "the two"))
        }
        if aps.mutableContent != true {
            problems.append(
                .error(
                    APS.Key.mutableContent.path, "buttons-need-mutable-content",
                    "must be 1 with typed buttons: otherwise the app's extension, which adds them, does not run"))
        }
        if pushType != .alert {
            problems.append(
                .warning(key, "no-effect", "have no effect in a \(pushType.rawValue) push, which shows nothing"))
        }
        return problems
    }
}
