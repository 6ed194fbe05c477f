public import Campaigns
public import JSON
import Notifications
public import Postgres

/// Reads audiences and checks them against the app. Conditions that cannot match are reported with their paths.
public struct AudienceCheck: Sendable {
    private let pool: PostgresPool
    private let segments: SegmentStore

    public init(pool: PostgresPool) {
        self.pool = pool
        segments = SegmentStore(pool: pool)
    }

    /// Returns every problem, with its path in the JSON. The audience is nil when the JSON could not be read as one.
    public func check(_ json: JSON, app: App.ID) async throws -> (audience: Audience?, problems: [Problem]) {
        let audience: Audience
        do throws(Problems) {
            audience = try Audience(json: json)
        } catch {
            return (nil, error.problems)
        }
        var problems = try await problems(of: audience, app: app) + audience.unknownZones
        guard problems.isEmpty else { return (audience, problems) }
        do {
            // Checks the limits that apply once the segments are inlined.
            _ = try await segments.resolve(audience, app: app)
        } catch let error as Problems {
            problems = error.problems
        }
        return (audience, problems)
    }

    /// References to things that the app does not have, or has archived.
    public func problems(of audience: Audience, app: App.ID) async throws -> [Problem] {
        let references = audience.references
        guard !references.isEmpty else { return [] }
        let known = try await known(of: references.map(\.reference), app: app)
        return references.compactMap { path, reference in known.problem(with: reference, at: path) }
    }

    /// An event name that the app has not had, at an empty path.
    public func problem(ofEventName name: String, app: App.ID) async throws -> Problem? {
        let reference = AudienceReference.eventName(name)
        return try await known(of: [reference], app: app).problem(with: reference, at: "")
    }

    private func known(of references: [AudienceReference], app: App.ID) async throws -> KnownReferences {
        var campaigns: [Int64] = []
        var segments: [Int64] = []
        var runs: [Int64] = []
        for reference in references {
            switch reference {
            case .campaign(let id): campaigns.append(id.rawValue)
            case .segment(let id): segments.append(id.rawValue)
            case .run(let id, _): runs.append(id.rawValue)
            case .attribute, .topic, .eventName, .variant, .recipients, .acknowledgements: break
            }
        }
        let rows = try await pool.query(
            """
            SELECT
                ARRAY(SELECT name FROM known_attributes WHERE app_id = \(app) AND name NOT LIKE '$%' ORDER BY name),
                ARRAY(SELECT key FROM topics WHERE app_id = \(app) ORDER BY key),
                ARRAY(SELECT id FROM campaigns WHERE app_id = \(app) AND id = ANY (\(campaigns))),
                ARRAY(SELECT id FROM segments WHERE app_id = \(app) AND id = ANY (\(segments))),
                ARRAY(SELECT id FROM segments
                    WHERE app_id = \(app) AND id = ANY (\(segments)) AND archived_at IS NOT NULL),
                ARRAY(SELECT name FROM custom_event_names WHERE app_id = \(app) AND deleted_at IS NULL ORDER BY name)
            """)
        guard let row = rows.first else { return KnownReferences() }
        return KnownReferences(
            attributes: try row[0], topics: try row[1], campaigns: Set(try row[2, as: [Int64].self]),
            segments: Set(try row[3, as: [Int64].self]), archived: Set(try row[4, as: [Int64].self]),
            eventNames: try row[5], runs: try await KnownRun.read(runs, app: app, pool))
    }
}

/// The referenced things that the app has.
private struct KnownReferences {
    var attributes: [String] = []
    var topics: [String] = []
    var campaigns: Set<Int64> = []
    var segments: Set<Int64> = []
    var archived: Set<Int64> = []
    var eventNames: [String] = []
    var runs: [Run.ID: KnownRun] = [:]

    func problem(with reference: AudienceReference, at path: String) -> Problem? {
        switch reference {
        case .attribute(let name):
            // No attribute is known before the first device registers, and above the limit not every attribute is
            // stored.
            guard !attributes.isEmpty, attributes.count < KnownAttributes.maximumNames else { return nil }
            guard !attributes.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return nil }
            let suggestion = Spelling.suggestion(for: name, among: attributes)
            return .error(path, "unknown-attribute", "no device has an attribute \(name)\(suggestion)")
        case .eventName(let name):
            // An app may be built before its first event arrives.
            guard !eventNames.isEmpty, !eventNames.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
                return nil
            }
            let suggestion = Spelling.suggestion(for: name, among: eventNames)
            return .error(path, "unknown-event-name", "no event of this app has the name \(name)\(suggestion)")
        case .topic(let topic):
            guard !topics.contains(topic.text) else { return nil }
            let suggestion = Spelling.suggestion(for: topic.text, among: topics)
            return .error(path, "unknown-topic", "must be a topic of this app\(suggestion)")
        case .campaign(let id):
            guard !campaigns.contains(id.rawValue) else { return nil }
            return .error(path, "unknown-campaign", "must be a campaign of this app")
        case .run(let id, let campaign):
            guard runs[id]?.campaign != campaign else { return nil }
            return .error(path, "unknown-run", "must be a run of this campaign")
        // Without the run, there is a problem already.
        case .variant(let variant, let id):
            guard let variants = runs[id]?.variants, variant >= variants else { return nil }
            return .error(
                path, "unknown-variant", "must be the place of a variant in this run, from 0 to \(variants - 1)")
        case .recipients(let id):
            guard runs[id]?.hasRecipients == false else { return nil }
            return .error(
                path, "recipients-deleted", "the list of this run's recipients was deleted, as the app's settings say")
        case .acknowledgements(let id):
            guard runs[id]?.hasAcknowledgements == false else { return nil }
            return .error(
                path, "acknowledgements-deleted",
                "what devices reported about this run was deleted, as the app's settings say")
        case .segment(let id):
            guard segments.contains(id.rawValue) else {
                return .error(path, "unknown-segment", "must be an existing segment of this app")
            }
            guard archived.contains(id.rawValue) else { return nil }
            return .error(path, "segment-archived", "is archived; take it out of the archive first")
        }
    }
}
