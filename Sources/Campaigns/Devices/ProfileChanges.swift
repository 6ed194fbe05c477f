import JSON

/// Changes to what an app states about an installation or a person: attributes, tags and opt-outs.
public struct ProfileChanges: Equatable, Sendable {
    public var attributes = AttributesChange.keep
    public var tags = SetChange.keep
    /// Keys of `OptOut`.
    public var optOuts = SetChange.keep

    public init() {}

    public var isEmpty: Bool { self == ProfileChanges() }

    /// These changes and then `later` ones.
    public func followed(by later: ProfileChanges) -> ProfileChanges {
        var both = self
        both.attributes = attributes.followed(by: later.attributes)
        both.tags = tags.followed(by: later.tags)
        both.optOuts = optOuts.followed(by: later.optOuts)
        return both
    }
}

/// A change to attributes. An attribute whose new value is null is removed.
public enum AttributesChange: Equatable, Sendable {
    case keep
    /// All attributes are replaced.
    case replace(DeviceAttributes)
    /// These are all that the app states: others are removed, but for those of a file that it has never stated.
    case state(DeviceAttributes)
    /// The named attributes are replaced, and others kept.
    case merge(DeviceAttributes)

    public var given: DeviceAttributes? {
        switch self {
        case .keep: nil
        case .replace(let attributes), .state(let attributes), .merge(let attributes): attributes
        }
    }

    func followed(by later: AttributesChange) -> AttributesChange {
        switch (self, later) {
        case (_, .keep): self
        case (.replace, .state(let all)): .replace(all)
        case (.keep, _), (_, .replace), (_, .state): later
        case (.replace(let first), .merge(let second)): .replace(first.overlaid(by: second))
        case (.state(let first), .merge(let second)): .state(first.overlaid(by: second))
        case (.merge(let first), .merge(let second)): .merge(first.overlaid(by: second))
        }
    }
}

/// A change to a set of texts. Sets are sorted by their bytes and contain each text once.
public enum SetChange: Equatable, Sendable {
    case keep
    case replace([String])
    /// Removes texts, and then adds others.
    case edit(add: [String], remove: [String])

    /// The texts that are added, or that replace all.
    public var given: [String] {
        switch self {
        case .keep: []
        case .replace(let texts), .edit(let texts, _): texts
        }
    }

    func followed(by later: SetChange) -> SetChange {
        switch (self, later) {
        case (_, .keep): self
        case (.keep, _), (_, .replace): later
        case (.replace(let all), .edit(let add, let remove)):
            .replace(Self.union(Self.difference(all, remove), add))
        case (.edit(let firstAdd, let firstRemove), .edit(let add, let remove)):
            .edit(
                add: Self.union(Self.difference(firstAdd, remove), add),
                remove: Self.difference(Self.union(firstRemove, remove), add))
        }
    }

    /// A set of the texts. They are compared by their bytes, as PostgreSQL does it; Swift's comparison treats a
    /// precomposed é and an e with a combining accent as equal.
    public static func set(_ texts: [String]) -> [String] {
        let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return sorted.enumerated().filter {
            $0.offset == 0 || !sorted[$0.offset - 1].utf8.elementsEqual($0.element.utf8)
        }
        .map(\.element)
    }

    private static func union(_ one: [String], _ other: [String]) -> [String] { set(one + other) }

    private static func difference(_ one: [String], _ other: [String]) -> [String] {
        one.filter { text in !other.contains { $0.utf8.elementsEqual(text.utf8) } }
    }
}

extension DeviceAttributes {
    /// The members of `later` replace those with the same name.
    fileprivate func overlaid(by later: DeviceAttributes) -> DeviceAttributes {
        guard case .object(var members)? = try? JSON(parsing: text),
            case .object(let new)? = try? JSON(parsing: later.text)
        else { return later }
        members.removeAll { member in new.contains { $0.key.utf8.elementsEqual(member.key.utf8) } }
        return DeviceAttributes(
            text: JSON.object(members + new).encoded(), lengths: lengths + later.lengths,
            removesSome: removesSome || later.removesSome)
    }
}
