public import JSON

/// What somebody opts out of: the campaigns of a topic, or all campaigns, which are those of each topic as well. Devices
/// and people store the keys in one set, so both are ordered, kept and imported by the same rules.
public enum OptOut: Hashable, Sendable {
    case all
    case topic(TopicKey)

    /// The key of the opt-out from all campaigns. No topic can have it.
    public static let allKey = "*"

    public init(_ text: String) throws(InvalidValue) {
        if text == Self.allKey {
            self = .all
            return
        }
        do throws(InvalidValue) {
            self = .topic(try TopicKey(text))
        } catch {
            throw InvalidValue(error.code, "must be \"*\" for all campaigns, or the key of a topic, like \"offers\"")
        }
    }

    public var text: String {
        switch self {
        case .all: Self.allKey
        case .topic(let key): key.text
        }
    }
}

extension OptOut {
    /// The outcome of a push that somebody with these opt-outs does not want; nil: it is sent. Transactional pushes without a
    /// topic are no news, and nobody can opt out of them.
    public static func suppression(ofTransactional topic: TopicKey?, by optOuts: [String]) -> UInt8? {
        guard let topic else { return nil }
        if optOuts.contains(allKey) { return OutcomeCode.suppressedOptedOutOfAll }
        return optOuts.contains(topic.text) ? OutcomeCode.suppressedOptedOut : nil
    }
}
