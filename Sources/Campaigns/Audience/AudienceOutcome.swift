import JSON
import Notifications

/// The device was a recipient of a campaign, with this outcome in the ledger.
public struct AudienceOutcome: Hashable, Sendable {
    public var kind: OutcomeKind
    public var campaign: Campaign.ID
    /// Nil for all runs: one with the outcome is enough.
    public var run: Run.ID?
    /// The place in the run, from 0; only with `run`.
    public var variant: Int?
    /// An event that the device has reported of none of these pushes; only with `accepted`. So "not engaged" is
    /// about those who got the push, and not about everybody else.
    public var without: EventKind?

    /// Final outcomes: others are not yet known when an audience is evaluated.
    public static let kinds: [OutcomeKind] = [.accepted, .rejected, .suppressed, .expired, .cancelled, .unknown]

    public init(
        _ kind: OutcomeKind, campaign: Campaign.ID, run: Run.ID? = nil, variant: Int? = nil, without: EventKind? = nil
    ) {
        self.kind = kind
        self.campaign = campaign
        self.run = run
        self.variant = variant
        self.without = without
    }

    /// The event that the device must not have reported.
    public var excluded: AudienceEvent? {
        without.map { AudienceEvent($0, campaign: campaign, run: run, variant: variant) }
    }
}

extension AudienceOutcome {
    var members: [JSON.Member] {
        typealias Companion = AudienceCondition.Companion
        return [JSON.Member(Companion.campaign, .string(campaign.description))]
            + Companion.sending(run: run, variant: variant)
            + (without.map { [JSON.Member(Companion.without, .string($0.name))] } ?? [])
    }

    /// "accepted in campaign 7, run 12, without engaged".
    var summary: String {
        let end = without.map { " without \($0.name)" } ?? ""
        return "\(kind.rawValue) in campaign \(campaign)\(sendingSummary(run: run, variant: variant))\(end)"
    }
}

/// Which of a campaign's pushes, in summaries.
func sendingSummary(run: Run.ID?, variant: Int?) -> String {
    (run.map { " run \($0)" } ?? "") + (variant.map { " variant \($0)" } ?? "")
}

extension AudienceCondition.Companion {
    static func sending(run: Run.ID?, variant: Int?) -> [JSON.Member] {
        (run.map { [JSON.Member(Self.run, .string($0.description))] } ?? [])
            + (variant.map { [JSON.Member(Self.variant, .number(JSON.Number($0)))] } ?? [])
    }
}

/// Reads conditions about the ledger.
extension AudienceReader {
    private typealias Companion = AudienceCondition.Companion

    mutating func outcome(_ json: JSON, _ members: [JSON.Member], at path: String) -> AudienceCondition? {
        let memberPath = ProblemPath.member(AudienceCondition.Kind.outcome.rawValue, of: path)
        var kind: OutcomeKind?
        if case .string(let name) = json { kind = AudienceOutcome.kinds.first { $0.rawValue == name } }
        if kind == nil {
            let names = AudienceOutcome.kinds.map(\.rawValue)
            refuse(memberPath, "unknown-outcome", "must be \(names.alternatives), not \(json.summary)")
        }
        var campaign: Campaign.ID?
        var (run, variant, without): (Run.ID?, Int?, EventKind?)
        for member in members {
            let memberPath = ProblemPath.member(member.key, of: path)
            switch member.key {
            case Companion.campaign: campaign = id(member.value, at: memberPath, of: "campaign")
            case Companion.run: run = id(member.value, at: memberPath, of: "run")
            case Companion.variant: variant = whole(member.value, at: memberPath, in: AudienceEvent.variants)
            case Companion.without:
                without = eventKind(member.value, at: memberPath)
                if let kind, kind != .accepted {
                    refuse(memberPath, "not-allowed", "is allowed only with the outcome accepted")
                }
            default: break
            }
        }
        if !members.contains(where: { $0.key == Companion.campaign }) {
            refuse(ProblemPath.member(Companion.campaign, of: path), "missing", "is required")
        }
        checkSending(members, at: path)
        guard let kind, let campaign else { return nil }
        return .outcome(AudienceOutcome(kind, campaign: campaign, run: run, variant: variant, without: without))
    }

    /// A run belongs to a campaign, and a variant has its place in a run.
    mutating func checkSending(_ members: [JSON.Member], at path: String) {
        let keys = Set(members.map(\.key))
        for (member, parent) in [(Companion.run, Companion.campaign), (Companion.variant, Companion.run)]
        where keys.contains(member) && !keys.contains(parent) {
            refuse(ProblemPath.member(parent, of: path), "missing", "is required with \(member)")
        }
    }

    mutating func eventKind(_ json: JSON, at path: String) -> EventKind? {
        if case .string(let name) = json, let kind = EventKind(name: name) { return kind }
        let kinds = EventKind.allCases.map(\.name)
        return refuse(path, "unknown-event", "must be \(kinds.alternatives), not \(json.summary)")
    }
}
