import Campaigns
import EventLoop
import JSON
import Postgres

/// The names of an app's custom events and of their properties. Each process caches them, so that nothing is read or
/// written unless a name is new.
final class CustomEventNames: Sendable {
    /// Properties per name that are remembered. Events may have others, too.
    static let maximumProperties = 50
    /// Apps in the cache.
    static let capacity = 256

    struct Known {
        let id: Int32
        var properties: Set<String>
    }

    /// The names of one app.
    struct OfApp {
        var names: [String: Known] = [:]

        subscript(name: String) -> Known? { names[name] }
        func isFull(for request: CustomEventRequest) -> Bool { names.count >= request.maximumNames }
        func nearest(to name: String) -> String? { Spelling.nearest(to: name, among: names.keys.sorted()) }

        /// Whether a name or a property of it could be stored and is not.
        fileprivate func lacks(_ event: CustomEvent, of request: CustomEventRequest) -> Bool {
            guard let known = names[event.name] else { return !isFull(for: request) }
            guard let properties = event.properties, known.properties.count < maximumProperties else { return false }
            return !properties.names.allSatisfy(known.properties.contains)
        }
    }

    private let apps = Lock<[Int64: OfApp]>([:])

    /// Forgets the names of apps, of which one was deleted.
    func forget(_ deleted: Set<Int64>) {
        apps.withLock { apps in
            for app in deleted { apps[app] = nil }
        }
    }

    /// The names of the requests' apps, among them those of the events as far as the limits allow.
    func names(for requests: [CustomEventRequest], pool: PostgresPool) async throws -> [Int64: OfApp] {
        let cached = apps.withLock { $0 }
        var new = NewNames()
        for request in requests {
            let known = cached[request.app.rawValue] ?? OfApp()
            for event in request.events where known.lacks(event, of: request) { new.add(event, of: request) }
        }
        guard !new.isEmpty else { return cached }
        let read = try await new.store(in: pool)
        return apps.withLock { apps in
            if apps.count + read.count > Self.capacity { apps.removeAll() }
            apps.merge(read) { $1 }
            return apps.merging(cached) { new, _ in new }
        }
    }
}

/// Names and properties that events have and the cache does not.
private struct NewNames {
    private struct Name: Hashable {
        let app: Int64
        let name: String
    }

    private var properties: [Name: Set<String>] = [:]
    /// The names that an app may have, so that it gets each of these.
    private var limits: [Name: Int] = [:]

    var isEmpty: Bool { properties.isEmpty }

    mutating func add(_ event: CustomEvent, of request: CustomEventRequest) {
        let name = Name(app: request.app.rawValue, name: event.name)
        properties[name, default: []].formUnion(event.properties?.names ?? [])
        limits[name] = max(limits[name] ?? 0, request.maximumNames)
    }

    /// Stores what the limits allow, and returns all names of these apps.
    func store(in pool: PostgresPool) async throws -> [Int64: CustomEventNames.OfApp] {
        let apps = Set(properties.keys.map(\.app)).sorted()
        let rows = try await pool.transaction(opening: [RowLock.OfApp.eventNames.wait(for: apps)]) { connection, _ in
            try await connection.queries([insertNames, insertProperties, Self.all(of: apps)])[2]
        }
        var read: [Int64: CustomEventNames.OfApp] = [:]
        for app in apps { read[app] = CustomEventNames.OfApp() }
        for row in rows {
            let properties: [String] = try row[3]
            read[try row[0], default: CustomEventNames.OfApp()].names[try row[1]] = CustomEventNames.Known(
                id: try row[2], properties: Set(properties))
        }
        return read
    }

    private var insertNames: PostgresQuery {
        let names = properties.keys.sorted { ($0.app, $0.name) < ($1.app, $1.name) }
        return """
            INSERT INTO custom_event_names (app_id, name)
            SELECT app_id, name FROM (
                SELECT g.app_id, g.name, g.most, row_number() OVER (PARTITION BY g.app_id ORDER BY g.most, g.name)
                    + (SELECT count(*) FROM custom_event_names k WHERE k.app_id = g.app_id) AS number
                FROM unnest(
                    \(names.map(\.app)), \(names.map(\.name)), \(names.map { Int64(limits[$0] ?? 0) })
                ) AS g (app_id, name, most)
                JOIN apps a ON a.id = g.app_id
                WHERE NOT EXISTS (SELECT FROM custom_event_names k WHERE k.app_id = g.app_id AND k.name = g.name)
            ) AS new
            WHERE number <= most
            """
    }

    private var insertProperties: PostgresQuery {
        let all = properties.flatMap { name, properties in properties.map { (name: name, property: $0) } }
        return """
            INSERT INTO custom_event_properties (app_id, name_id, property)
            SELECT app_id, name_id, property FROM (
                SELECT n.app_id, n.id AS name_id, g.property,
                    row_number() OVER (PARTITION BY n.app_id, n.id ORDER BY g.property) + (
                        SELECT count(*) FROM custom_event_properties k WHERE k.app_id = n.app_id AND k.name_id = n.id
                    ) AS number
                FROM unnest(\(all.map(\.name.app)), \(all.map(\.name.name)), \(all.map(\.property)))
                    AS g (app_id, name, property)
                JOIN custom_event_names n ON n.app_id = g.app_id AND n.name = g.name
                WHERE NOT EXISTS (
                    SELECT FROM custom_event_properties k
                    WHERE k.app_id = n.app_id AND k.name_id = n.id AND k.property = g.property)
            ) AS new
            WHERE number <= \(CustomEventNames.maximumProperties)
            """
    }

    private static func all(of apps: [Int64]) -> PostgresQuery {
        """
        SELECT n.app_id, n.name, n.id, ARRAY(
            SELECT property FROM custom_event_properties p WHERE p.app_id = n.app_id AND p.name_id = n.id)
        FROM custom_event_names n WHERE n.app_id = ANY (\(apps)) AND n.deleted_at IS NULL
        """
    }
}
