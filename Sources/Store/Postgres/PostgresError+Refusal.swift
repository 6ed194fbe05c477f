import Administration
import Campaigns
import Postgres

/// Runs a write and converts constraint violations to a `Refusal`.
func mappingConstraintErrors<Value>(_ write: () async throws -> Value) async throws -> Value {
    do {
        return try await write()
    } catch let error as PostgresError {
        throw Refusal(error) ?? error
    }
}

extension Refusal {
    /// Nil when the error is not an expected one.
    init?(_ error: PostgresError) {
        switch (error.sqlState, error.constraint) {
        case ("23505", "apps_bundle_id_key"): self = .bundleIDTaken
        case ("23505", "users_email_key"): self = .emailTaken
        case ("23505", "credentials_app_id_key_id_key"): self = .keyIDTaken
        case ("23505", "topics_pkey"): self = .topicKeyTaken
        case ("23503", "campaigns_app_id_topic_fkey"): self = .unknownTopic
        case ("23505", "categories_app_id_identifier_key"): self = .categoryIdentifierTaken
        // When a template or a campaign is saved, or a run starts; deletion has its own error.
        case ("23503", let constraint?) where MediaStore.useConstraints.contains(constraint): self = .notFound(.media)
        // When a segment is used; deletion has its own error.
        case ("23503", SegmentReferences.constraint): self = .notFound(.segment)
        case ("23514", "devices_own_tags_count"), ("23514", "people_tags_count"): self = .tooManyTags
        case ("23514", "devices_own_opt_outs_count"), ("23514", "people_opt_outs_check"): self = .tooManyOptOuts
        case ("23514", "devices_own_attributes_size"), ("23514", "people_attributes_size"): self = .attributesTooLarge
        // Only the table apps is referenced by app_id alone.
        case ("23503", let constraint?) where constraint.hasSuffix("_app_id_fkey"): self = .notFound(.app)
        case ("23514", let constraint?), ("23505", let constraint?): self = .constraint(constraint)
        default: return nil
        }
    }
}
