/// The order of an app's statements about opt-outs, by `sent_at`: consent is neither lost nor given because requests
/// overtake each other. A late request adds opt-outs, and removes none.
public struct OptOutOrder: Equatable, Sendable {
    /// When the newest statement about opt-outs was sent; nil: none that says when.
    public private(set) var newest: Instant?
    /// The topics (or all campaigns) that were consented to since, which a late opt-out does not take back; nil: all, because a newer
    /// statement has listed the opt-outs.
    public private(set) var consented: [String]?

    public init(newest: Instant? = nil, consented: [String]? = []) {
        self.newest = newest
        self.consented = consented
    }

    /// A statement that is newer than the others.
    public mutating func state(_ change: SetChange, at time: Instant) {
        switch change {
        case .keep: return
        case .replace: consented = nil
        case .edit(let add, let remove):
            consented = consented.map { known in
                SetChange.set(known.filter { !remove.contains($0) } + remove).filter { !add.contains($0) }
            }
        }
        newest = time
    }

    /// The part of a late statement that counts: opt-outs from topics that nothing newer has consented to.
    public func late(_ change: SetChange, at time: Instant) -> SetChange {
        guard let newest, newest >= time else { return change.adding }
        guard let consented else { return .keep }
        let added = change.given.filter { !consented.contains($0) }
        return added.isEmpty ? .keep : .edit(add: added, remove: [])
    }
}
