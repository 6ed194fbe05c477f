import Campaigns
public import Notifications
import Postgres

/// Who does not want a campaign's pushes: asked when they are planned, and again when they are sent, for people change
/// their minds in between.
public struct Consent: Hashable, Sendable {
    private let topic: String?
    /// What shows nothing needs nobody's permission.
    private let asksPermission: Bool

    public init(topic: String?, pushType: PushType) {
        self.topic = topic
        asksPermission = pushType.needsPermission
    }

    /// An outcome's code for a row `d` of devices; zero for who has nothing against it.
    var code: PostgresQuery { refusals.isEmpty ? "0" : "CASE \(clauses) ELSE 0 END" }

    /// The same as WHEN clauses, to stand before others.
    var clauses: PostgresQuery { refusals.reduce(into: "") { $0 += "\($1) " } }

    private var refusals: [PostgresQuery] {
        var refusals: [PostgresQuery] = []
        if asksPermission {
            refusals.append(
                "WHEN d.authorization_status = \(AuthorizationStatus.denied) THEN \(Int16(OutcomeCode.suppressedDenied))"
            )
        }
        // Without a topic nobody's opt-outs are looked at.
        if let topic {
            refusals.append("WHEN \(topic) = ANY (d.opt_outs) THEN \(Int16(OutcomeCode.suppressedOptedOut))")
        }
        return refusals
    }
}
