import Campaigns
import Experiments
import Postgres

/// Draws for each recipient of a run whether he belongs to a control group, and which variant he gets: a person with
/// several devices gets the same on all of them.
///
/// `UnitPoint` and `VariantMap` are the same in Swift. Docs/decisions/experiments.md explains the method.
public struct RecipientDraws: Sendable {
    private let salt: Int64
    /// The variant of each bucket; nil: there is one content.
    private let map: [UInt8]?
    /// The part of the recipients who are tested, in thousandths; nil: all are.
    private let testShare: Int?
    /// The part of the recipients who get nothing, in thousandths; nil: nobody.
    private let controlShare: Int?
    /// The app's global control group; nil: there is none, or the campaign reaches it.
    private let holdout: GlobalHoldout?
    /// Whether the variants are groups that get the same content at other times.
    private let testsTimes: Bool

    init(
        salt: Int64, map: [UInt8]? = nil, testsTimes: Bool = false, testShare: Int? = nil, controlShare: Int? = nil,
        holdout: GlobalHoldout? = nil
    ) {
        self.salt = salt
        self.map = map
        self.testsTimes = testsTimes
        self.testShare = testShare
        self.controlShare = controlShare
        self.holdout = holdout
    }

    /// The variant of a device `d`. The rest has none yet, which is stored as the first.
    var variant: PostgresQuery {
        guard let map else { return "0::smallint" }
        let drawn: PostgresQuery = "get_byte(\(map), (\(digit(.group)))::integer)::smallint"
        return testShare == nil ? drawn : "CASE WHEN \(isRest) THEN 0::smallint ELSE \(drawn) END"
    }

    /// Whether a device `d` waits for the decision of the test.
    var isRest: PostgresQuery { testShare.map { "\(digit(.phase)) >= \(Int64($0))" } ?? "false" }

    /// The place of a device `d` in the hours of a run at the best time of each: `own` is its best one. In a test of texts,
    /// all get theirs.
    func place(own: PostgresQuery, usual: Int32, count: Int32) -> PostgresQuery? {
        guard testsTimes else { return nil }
        return """
            CASE \(variant) WHEN \(Int16(TimeGroup.best.rawValue)) THEN \(own) WHEN \(Int16(TimeGroup.usual.rawValue)) THEN \(usual)
                ELSE (\(digit(.hour)) * \(count) / \(Int64(VariantMap.bucketCount)))::integer END
            """
    }

    /// WHENs for the outcome codes of the global control group and that of the campaign. They are the last: otherwise these
    /// groups would lack those who get nothing for another reason, and would differ from the others by more than pushes.
    var controlClauses: PostgresQuery {
        let all = holdout.map {
            "WHEN \($0.contains) THEN \(Int16(OutcomeCode.suppressedGlobalControl))" as PostgresQuery
        }
        let own = controlShare.map {
            "WHEN \(digit(.control)) < \(Int64($0)) THEN \(Int16(OutcomeCode.suppressedControl))" as PostgresQuery
        }
        return "\(all ?? "") \(own ?? "")"
    }

    /// As `UnitPoint` has it.
    private func digit(_ decision: UnitPoint.Decision) -> PostgresQuery {
        let base = Int64(VariantMap.bucketCount)
        let shifted = (0..<decision.rawValue).reduce(Self.point(salt: salt)) { query, _ in "\(query) / \(base)" }
        return "\(shifted) % \(base)"
    }

    /// The point of the person who has a device `d`, or of its installation.
    static func point(salt: Int64) -> PostgresQuery {
        """
        (hashtextextended(coalesce('u' || d.user_id, 'i' || d.installation) COLLATE "C", \(salt)) & 9223372036854775807)
        """
    }
}
