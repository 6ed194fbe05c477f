import Campaigns
import EventLoop
import JSON
import Notifications
import Postgres

/// The attributes that an app's devices have, and the greatest length of their values, which limits the size of
/// payloads.
///
/// Registrations store them in the same transaction. Each process caches them, so that nothing is written unless a
/// value is longer than before. Fields of Belfry itself have the names of `DeviceText`, which begin with a dollar sign;
/// attribute names do not.
final class KnownAttributes: Sendable {
    /// Names stored per app: an app that uses a new name for each device must not fill the table.
    static let maximumNames = 1_000
    /// Apps in the cache.
    static let capacity = 256

    /// An attribute with a new greatest length.
    struct Growth: Equatable {
        let app: Int64
        let name: String
        let longest: Int32
    }

    private struct Known {
        var texts = [Int](repeating: -1, count: DeviceText.allCases.count)
        var attributes: [String: Int] = [:]

        var count: Int { attributes.count }

        mutating func raise(_ name: String, to longest: Int) {
            if let text = DeviceText.allCases.first(where: { $0.name == name }) {
                texts[text.rawValue] = max(texts[text.rawValue], longest)
            } else {
                attributes[name] = max(attributes[name] ?? -1, longest)
            }
        }
    }

    private let apps = Lock<[Int64: Known]>([:])

    /// The apps that are not in the cache.
    func unread(among apps: [Int64]) -> [Int64] {
        self.apps.withLock { known in apps.filter { known[$0] == nil } }
    }

    /// Caches the rows of `names(of:)`.
    func record(_ rows: PostgresRows, of apps: [Int64]) throws(PostgresError) {
        var read: [Int64: Known] = [:]
        for app in apps { read[app] = Known() }
        for row in rows {
            let longest: Int32 = try row[2]
            read[try row[0], default: Known()].raise(try row[1], to: Int(longest))
        }
        self.apps.withLock { known in
            if known.count + read.count > Self.capacity { known.removeAll() }
            known.merge(read) { $1 }
        }
    }

    /// Caches values that were stored.
    func record(_ growth: [Growth]) {
        guard !growth.isEmpty else { return }
        apps.withLock { known in
            for grown in growth { known[grown.app]?.raise(grown.name, to: Int(grown.longest)) }
        }
    }

    /// The values of these entries that are longer than any before, in key order. The entries are sorted by app.
    func growth(by entries: [RegistrationGroup.Entry]) -> [Growth] {
        var growth: [Growth] = []
        for entries in entries.chunked(by: { $0.key.app == $1.key.app }) {
            guard let app = entries.first?.key.app else { continue }
            let cached = apps.withLock { $0[app] } ?? Known()
            growth += Self.growth(by: entries, beyond: cached).map {
                Growth(app: app, name: $0.key, longest: Int32(clamping: $0.value))
            }
        }
        return growth.sorted { ($0.app, $0.name) < ($1.app, $1.name) }
    }

    private static func growth(
        by entries: ArraySlice<RegistrationGroup.Entry>, beyond known: Known
    ) -> [String: Int] {
        var known = known
        var grown: [String: Int] = [:]
        for entry in entries where entry.isRegistered {
            let changes = entry.effective
            for text in DeviceText.allCases {
                guard case .value(let value) = changes[text] else { continue }
                let length = JSONString.escapedCount(value)
                guard length > known.texts[text.rawValue] else { continue }
                known.texts[text.rawValue] = length
                grown[text.name] = length
            }
            for attribute in entry.attributeLengths {
                let longest = known.attributes[attribute.name]
                guard attribute.bytes > longest ?? -1, longest != nil || known.count < maximumNames else { continue }
                known.attributes[attribute.name] = attribute.bytes
                grown[attribute.name] = attribute.bytes
            }
        }
        return grown
    }

    // MARK: Statements

    static func names(of apps: [Int64]) -> PostgresQuery {
        "SELECT app_id, name, longest FROM known_attributes WHERE app_id = ANY (\(apps))"
    }

    /// Stores greatest lengths; another process may have stored greater ones.
    static func raise(_ growth: [Growth]) -> PostgresQuery {
        """
        INSERT INTO known_attributes AS k (app_id, name, longest)
        SELECT * FROM unnest(\(growth.map(\.app)), \(growth.map(\.name)), \(growth.map(\.longest)))
        ON CONFLICT (app_id, name) DO UPDATE SET longest = excluded.longest WHERE k.longest < excluded.longest
        """
    }
}

extension Array {
    /// Slices of neighbours that belong together.
    fileprivate func chunked(by belong: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var chunks: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices.dropFirst() where !belong(self[index - 1], self[index]) {
            chunks.append(self[start..<index])
            start = index
        }
        if start < endIndex { chunks.append(self[start...]) }
        return chunks
    }
}
