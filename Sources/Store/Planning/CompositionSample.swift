import Campaigns
import Postgres

/// Some of the people to whom a forecast says that it would go, composed as the sender will: a template may have nothing to
/// show to one, and too much to another.
struct CompositionSample {
    /// People who are composed, at most; a tenth of a second.
    static let size = 20_000

    /// What became of those who share a timing.
    struct Tally {
        var composed = 0
        /// By outcome code.
        var leftOut: [Int: Int] = [:]

        mutating func note(_ outcome: ComposeOutcome) {
            composed += 1
            if let code = outcome.suppression { leftOut[Int(code), default: 0] += 1 }
        }
    }

    /// Devices, each with the place of his timing.
    private var places: [Int64: Int] = [:]
    private(set) var tallies: [Int: Tally] = [:]
    private var whole = Tally()

    /// Out of `looked`, where devices are looked at in so many stripes: some of a group, in an order that has nothing to do
    /// with when they came.
    static func ids(stripes: Int64) -> PostgresQuery {
        let share = Int32(max(1, Int64(size) / stripes))
        return "coalesce((array_agg(id ORDER BY hashint8(id)) FILTER (WHERE code = 0))[1:\(share)], '{}')"
    }

    var hasRoom: Bool { places.count < Self.size }

    mutating func add(_ devices: [Int64], at place: Int) {
        for device in devices where hasRoom { places[device] = place }
    }

    /// Reads what the content needs of them, and composes. `now` is when it would be sent, in seconds since 1970.
    mutating func compose(_ content: CompiledContent, app: App.ID, now: Int, pool: PostgresPool) async throws {
        let rows = try await pool.query(
            """
            SELECT id\(RecipientStore.columns(content.needs)) FROM devices
            WHERE app_id = \(app) AND id = ANY (\(Array(places.keys)))
            """)
        let composer = ContentComposer(content, now: now)
        let id = [UInt8](MessageID(messageNumber: 0, device: 0, tag: 0).text.utf8)
        var payload = [UInt8](repeating: 0, count: content.limit)
        for row in 0..<rows.count {
            guard let place = places[try rows[row][0]] else { continue }
            let outcome = id.withUnsafeBytes { id in
                payload.withUnsafeMutableBytes { payload in
                    composer.compose(values: { rows.lend(row: row, column: 1 + $0) }, id: id, into: payload)
                }
            }
            tallies[place, default: Tally()].note(outcome)
            whole.note(outcome)
        }
    }

    /// Of `count` people with this timing, how many get nothing, by outcome code: as large a part as of those who were
    /// composed, or as of all who were where nobody with this timing was.
    func leftOut(of count: Int, at place: Int) -> [Int: Int] {
        let tally = tallies[place] ?? whole
        let scale = Double(count) / Double(max(1, tally.composed))
        return tally.leftOut.mapValues { Int((Double($0) * scale).rounded()) }
    }
}
