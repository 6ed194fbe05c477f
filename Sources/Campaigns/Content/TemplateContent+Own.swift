public import JSON
import Notifications

/// The form of a content that a campaign has itself: what people see. The push type and the options are members of the
/// campaign, so that each setting has one place.
extension TemplateContent {
    private static let settings = ["push_type", "priority", "expiration_seconds", "collapse_id"]

    /// `payload`, `variants` and `media`. Absent values are omitted.
    public var ownJSON: JSON {
        guard case .object(let members) = json else { return json }
        return .object(members.filter { !Self.settings.contains($0.key) })
    }

    /// Reads that form, as `init(json:)` reads a template's.
    public init(ownJSON json: JSON) throws(Problems) {
        guard case .object(let members) = json else {
            try self.init(json: json)
            return
        }
        let misplaced = members.filter { Self.settings.contains($0.key) }.map { member in
            Problem(
                path: member.key, code: "unknown-field",
                message: "is not a part of a campaign's content; set it as a member of the campaign")
        }
        do throws(Problems) {
            try self.init(json: .object(members.filter { !Self.settings.contains($0.key) }))
        } catch {
            throw Problems(misplaced + error.problems)
        }
        guard misplaced.isEmpty else { throw Problems(misplaced) }
    }
}
