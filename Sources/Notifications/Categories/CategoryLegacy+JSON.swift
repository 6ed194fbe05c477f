public import JSON

extension LegacyCategory {
    private enum Key: String, MemberName {
        case identifier
        case contexts
        case context
        case contextName = "context_name"
        case actions
    }

    /// The name of Apple's constant for the key in an action's parameters; the constant's value is not documented.
    static let buttonTitleParameter = "UIUserNotificationTextInputActionButtonTitleKey"

    /// The members that an app in `locale` needs to register it: raw values of Apple's enumerations together with
    /// their names.
    public func appJSON(for locale: LocaleTag?) -> JSON {
        let contexts = Context.allCases.map { context in
            var members: [JSON.Member] = []
            members.append(Key.context, .number(JSON.Number(context.rawValue)))
            members.append(Key.contextName, .string(context.name))
            members.append(Key.actions, .array(actions(in: context).map { $0.appJSON(for: locale) }))
            return JSON.object(members)
        }
        var members: [JSON.Member] = []
        members.append(Key.identifier, .string(identifier))
        members.append(Key.contexts, .array(contexts))
        return .object(members)
    }
}

extension LegacyCategory.Action {
    private enum Key: String, MemberName {
        case identifier
        case title
        case activationMode = "activation_mode"
        case activationModeName = "activation_mode_name"
        case authenticationRequired = "authentication_required"
        case destructive
        case behavior
        case behaviorName = "behavior_name"
        case parameters
    }

    fileprivate func appJSON(for locale: LocaleTag?) -> JSON {
        let parameters = buttonTitle.map {
            JSON.object([JSON.Member(LegacyCategory.buttonTitleParameter, $0.json(for: locale))])
        }
        var members: [JSON.Member] = []
        members.append(Key.identifier, .string(identifier))
        members.append(Key.title, title.json(for: locale))
        members.append(Key.activationMode, .number(JSON.Number(activationMode.rawValue)))
        members.append(Key.activationModeName, .string("\(activationMode)"))
        members.append(Key.authenticationRequired, .bool(authenticationRequired))
        members.append(Key.destructive, .bool(destructive))
        members.append(Key.behavior, .number(JSON.Number(behavior.rawValue)))
        members.append(Key.behaviorName, .string("\(behavior)"))
        members.append(Key.parameters, parameters)
        return .object(members)
    }
}
