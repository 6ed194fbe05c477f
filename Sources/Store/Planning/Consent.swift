import Campaigns
public import Notifications
import Postgres

/// Finds recipients who do not want a campaign's pushes. It is evaluated when they are planned and again when they are
/// sent, since people can change their settings in between.
public struct Consent: Hashable, Sendable {
    private let topic: String?
    /// Pushes that show nothing need no permission.
    private let needsPermissionCheck: Bool

    public init(topic: String?, pushType: PushType) {
        self.topic = topic
        needsPermissionCheck = pushType.needsPermission
    }

    /// Whether a row `d` of devices gets campaigns at all: its app may show them, and its person wants some.
    static let isReachable: PostgresQuery =
        "(d.authorization_status <> \(AuthorizationStatus.denied) AND NOT \(hasOptedOutOfAll))"

    static let hasOptedOutOfAll: PostgresQuery = "(\(OptOut.allKey) = ANY (d.opt_outs))"

    /// The outcome code for a row `d` of devices; zero: send.
    var code: PostgresQuery { "CASE \(clauses) ELSE 0 END" }

    /// The same as WHEN clauses, for use before others.
    var clauses: PostgresQuery { suppressionClauses.reduce(into: "") { $0 += "\($1) " } }

    private var suppressionClauses: [PostgresQuery] {
        var clauses: [PostgresQuery] = []
        if needsPermissionCheck {
            clauses.append(
                """
                WHEN d.authorization_status = \(AuthorizationStatus.denied)
                THEN \(Int16(OutcomeCode.suppressedDenied))
                """
            )
        }
        clauses.append("WHEN \(Self.hasOptedOutOfAll) THEN \(Int16(OutcomeCode.suppressedOptedOutOfAll))")
        if let topic {
            clauses.append("WHEN \(topic) = ANY (d.opt_outs) THEN \(Int16(OutcomeCode.suppressedOptedOut))")
        }
        return clauses
    }
}
