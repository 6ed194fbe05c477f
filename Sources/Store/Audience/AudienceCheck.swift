public import Campaigns
public import JSON
import Notifications
public import Postgres

/// Reads audiences and holds them against the app: what cannot match is refused with its path.
public struct AudienceCheck: Sendable {
    private let pool: PostgresPool
    private let segments: SegmentStore

    public init(pool: PostgresPool) {
        self.pool = pool
        segments = SegmentStore(pool: pool)
    }

    /// All that is wrong, at the paths of the JSON; the audience stands where it could be read at all.
    public func check(_ json: JSON, app: App.ID) async throws -> (audience: Audience?, problems: [Problem]) {
        let audience: Audience
        do throws(Problems) {
            audience = try Audience(json: json)
        } catch {
            return (nil, error.problems)
        }
        var problems = try await problems(of: audience, app: app)
        guard problems.isEmpty else { return (audience, problems) }
        do {
            // Whether it fits with its segments in it.
            _ = try await segments.resolve(audience, app: app)
        } catch let error as Problems {
            problems = error.problems
        }
        return (audience, problems)
    }

    /// What names something that the app does not have, or has put aside.
    public func problems(of audience: Audience, app: App.ID) async throws -> [Problem] {
        let references = audience.references
        guard !references.isEmpty else { return [] }
        let known = try await known(of: references.map(\.reference), app: app)
        return references.compactMap { path, reference in known.problem(with: reference, at: path) }
    }

    private func known(of references: [AudienceReference], app: App.ID) async throws -> KnownReferences {
        var campaigns: [Int64] = []
        var segments: [Int64] = []
        for reference in references {
            switch reference {
            case .campaign(let id): campaigns.append(id.rawValue)
            case .segment(let id): segments.append(id.rawValue)
            case .attribute, .topic, .event: break
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
                    WHERE app_id = \(app) AND id = ANY (\(segments)) AND archived_at IS NOT NULL)
            """)
        guard let row = rows.first else { return KnownReferences() }
        return KnownReferences(
            attributes: try row[0], topics: try row[1], campaigns: Set(try row[2, as: [Int64].self]),
            segments: Set(try row[3, as: [Int64].self]), archived: Set(try row[4, as: [Int64].self]))
    }
}

/// What of an audience's references the app has.
private struct KnownReferences {
    var attributes: [String] = []
    var topics: [String] = []
    var campaigns: Set<Int64> = []
    var segments: Set<Int64> = []
    var archived: Set<Int64> = []

    func problem(with reference: AudienceReference, at path: String) -> Problem? {
        switch reference {
        case .attribute(let name):
            // Nothing is known before the first device, and not everything where there is too much.
            guard !attributes.isEmpty, attributes.count < KnownAttributes.maximumNames else { return nil }
            guard !attributes.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return nil }
            return .error(
                path, "unknown-attribute", "no device has an attribute \(name)\(meant(name, among: attributes))")
        case .event(let kind):
            guard !kind.isTaken else { return nil }
            let taken = EventKind.allCases.filter(\.isTaken).map(\.name).joined(separator: " or ")
            return .error(
                path, "event-not-taken",
                "must be \(taken): phones cannot tell of \(kind.name) yet, so nobody would match")
        case .topic(let topic):
            guard !topics.contains(topic.text) else { return nil }
            return .error(path, "unknown-topic", "must be a topic of this app\(meant(topic.text, among: topics))")
        case .campaign(let id):
            guard !campaigns.contains(id.rawValue) else { return nil }
            return .error(path, "unknown-campaign", "must be a campaign of this app")
        case .segment(let id):
            guard segments.contains(id.rawValue) else {
                return .error(path, "unknown-segment", "must be a segment of this app that is still there")
            }
            guard archived.contains(id.rawValue) else { return nil }
            return .error(path, "segment-archived", "must not be archived: take it out of the archive first")
        }
    }

    private func meant(_ word: String, among words: [String]) -> String {
        Spelling.nearest(to: word, among: words).map { "; did you mean \($0)?" } ?? ""
    }
}
