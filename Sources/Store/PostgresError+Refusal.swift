import Campaigns
import Postgres

/// Runs a write and says a violated constraint in the product's words.
func refusing<Value>(_ write: () async throws -> Value) async throws -> Value {
    do {
        return try await write()
    } catch let error as PostgresError {
        throw Refusal(error) ?? error
    }
}

extension Refusal {
    /// Nil when the error is none of the expected ones.
    init?(_ error: PostgresError) {
        switch (error.sqlState, error.constraint) {
        case ("23505", "apps_bundle_id_key"): self = .bundleIDTaken
        case ("23505", "credentials_app_id_key_id_key"): self = .keyIDTaken
        case ("23505", "topics_pkey"): self = .topicKeyTaken
        case ("23503", "campaigns_app_id_topic_fkey"): self = .unknownTopic
        case ("23505", "categories_app_id_identifier_key"): self = .categoryIdentifierTaken
        // Of a template that is saved; deletion says more.
        case ("23503", MediaStore.useConstraint): self = .notFound(.media)
        // Of what begins to use one; deletion says more.
        case ("23503", SegmentUses.constraint): self = .notFound(.segment)
        // The only table that others refer to by app_id alone.
        case ("23503", let constraint?) where constraint.hasSuffix("_app_id_fkey"): self = .notFound(.app)
        case ("22023", _): self = .unknownTimeZone
        case ("23514", let constraint?), ("23505", let constraint?): self = .constraint(constraint)
        default: return nil
        }
    }
}
