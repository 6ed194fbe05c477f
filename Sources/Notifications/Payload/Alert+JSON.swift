import JSON

extension Alert {
    enum Key: String, MemberName, CaseIterable {
        case title
        case subtitle
        case body
        case launchImage = "launch-image"
        case titleLocKey = "title-loc-key"
        case titleLocArgs = "title-loc-args"
        case subtitleLocKey = "subtitle-loc-key"
        case subtitleLocArgs = "subtitle-loc-args"
        case locKey = "loc-key"
        case locArgs = "loc-args"
        case action
        case actionLocKey = "action-loc-key"
        case summaryArg = "summary-arg"
        case summaryArgCount = "summary-arg-count"
        case sound
    }

    init(_ reader: inout ObjectReader) {
        title = Text(.title, &reader)
        subtitle = reader.string(Key.subtitle)
        body = Text(.body, &reader)
        launchImage = reader.string(Key.launchImage)
        titleLocKey = reader.string(Key.titleLocKey)
        titleLocArgs = reader.strings(Key.titleLocArgs)
        subtitleLocKey = reader.string(Key.subtitleLocKey)
        subtitleLocArgs = reader.strings(Key.subtitleLocArgs)
        locKey = reader.string(Key.locKey)
        locArgs = reader.strings(Key.locArgs)
        action = reader.string(Key.action)
        actionLocKey = ActionLocKey(&reader)
        summaryArg = reader.string(Key.summaryArg)
        summaryArgCount = reader.count(Key.summaryArgCount)
        sound = reader.string(Key.sound)
        other = reader.rest
        keyOrder = reader.keyOrder
    }

    var json: JSON { .object(keyOrder.arranged(typedMembers + other)) }

    /// The known keys that are present.
    var keys: [Key] { typedMembers.compactMap { Key(rawValue: $0.key) } }

    private var typedMembers: [JSON.Member] {
        var members: [JSON.Member] = []
        members.append(Key.title, title?.json)
        members.append(Key.subtitle, subtitle.map { .string($0) })
        members.append(Key.body, body?.json)
        members.append(Key.launchImage, launchImage.map { .string($0) })
        members.append(Key.titleLocKey, titleLocKey.map { .string($0) })
        members.append(Key.titleLocArgs, titleLocArgs.map { .texts($0) })
        members.append(Key.subtitleLocKey, subtitleLocKey.map { .string($0) })
        members.append(Key.subtitleLocArgs, subtitleLocArgs.map { .texts($0) })
        members.append(Key.locKey, locKey.map { .string($0) })
        members.append(Key.locArgs, locArgs.map { .texts($0) })
        members.append(Key.action, action.map { .string($0) })
        members.append(Key.actionLocKey, actionLocKey?.json)
        members.append(Key.summaryArg, summaryArg.map { .string($0) })
        members.append(Key.summaryArgCount, summaryArgCount.map { .number(JSON.Number($0)) })
        members.append(Key.sound, sound.map { .string($0) })
        return members
    }
}

extension Alert.ActionLocKey {
    fileprivate init?(_ reader: inout ObjectReader) {
        switch reader.take(Alert.Key.actionLocKey) {
        case nil: return nil
        case .null: self = .null
        case .string(let key): self = .key(key)
        case .some(let value):
            reader.wrongType(Alert.Key.actionLocKey, "text or null", value)
            return nil
        }
    }

    fileprivate var json: JSON {
        switch self {
        case .null: .null
        case .key(let key): .string(key)
        }
    }
}
