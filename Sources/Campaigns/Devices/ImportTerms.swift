/// The changes that a line of a file may make to a device or a person that is known already.
/// Docs/decisions/imports.md explains why a file loses against what is newer.
public struct ImportTerms: Equatable, Sendable {
    /// When the line was true; nil: unknown, so everything that is known is newer.
    public var asOf: Instant?
    /// Whether opt-outs that the line does not have are removed.
    public var replacesOptOuts: Bool
    /// Whether the line counts even if what is known is newer.
    public var overwritesNewer: Bool

    public init(asOf: Instant? = nil, replacesOptOuts: Bool = false, overwritesNewer: Bool = false) {
        self.asOf = asOf
        self.replacesOptOuts = replacesOptOuts
        self.overwritesNewer = overwritesNewer
    }

    /// Whether something that was last changed at this time is left as it is, but for new opt-outs.
    public func leaves(_ known: Instant?) -> Bool {
        guard !overwritesNewer, let known else { return false }
        return asOf.map { known > $0 } ?? (known.microseconds != .min)
    }

    /// The changes that the terms allow. `optOuts` are the stored ones; an opt-out that the line takes away is counted
    /// as removed or as kept.
    public func limit(
        _ changes: ProfileChanges, isNewer: Bool, optOuts: [String], _ effect: inout ImportEffect
    ) -> ProfileChanges {
        var limited = isNewer ? ProfileChanges() : changes
        let removed = changes.optOuts.removed(from: optOuts).count
        if replacesOptOuts && !isNewer {
            limited.optOuts = changes.optOuts
            effect.optOutsRemoved += removed
        } else {
            limited.optOuts = changes.optOuts.adding
            effect.optOutsKept += removed
        }
        return limited
    }
}

/// The effect of a line, beyond being stored.
public struct ImportEffect: Equatable, Sendable {
    /// The device is newer than the line, and was left as it is, but for new opt-outs.
    public var isLeft = false
    /// What the line names was erased later. Nothing of the line was stored.
    public var isErased = false
    public var optOutsKept = 0
    public var optOutsRemoved = 0

    public init() {}
}

extension SetChange {
    /// The change without what it removes.
    public var adding: SetChange {
        switch self {
        case .keep: .keep
        case .replace(let texts), .edit(let texts, _): texts.isEmpty ? .keep : .edit(add: texts, remove: [])
        }
    }

    /// The stored texts that the change removes.
    func removed(from stored: [String]) -> [String] {
        switch self {
        case .keep: []
        case .replace(let texts): stored.filter { !texts.contains($0) }
        case .edit(let add, let remove): stored.filter { remove.contains($0) && !add.contains($0) }
        }
    }
}

extension DeviceChanges {
    /// The changes of the first registration of a device that only a file knew. An opt-out of the file stays until it is
    /// removed by name, because an app that is started for the first time does not know of it.
    public func takingOver() -> DeviceChanges {
        var changes = self
        if case .replace = profile.optOuts { changes.profile.optOuts = profile.optOuts.adding }
        return changes
    }
}
