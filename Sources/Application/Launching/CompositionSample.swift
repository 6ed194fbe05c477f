import Campaigns
import Postgres
import Store

/// Some of the people to whom a forecast says that it would go, composed as the sender will: a template may have nothing to
/// show to one, and too much to another.
///
/// They are those whose ids hash to the least, so that each had the same chance, whenever he came and whenever he is due:
/// all of them while they are few.
struct CompositionSample {
    /// People who are composed, at most.
    static let size = 20_000
    /// Composed at once: a few milliseconds of the loop.
    private static let slice = 2_000

    private struct Person {
        let hash: Int32
        let device: Int64
        let place: Int
    }

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

    private var people: [Person] = []
    /// Whoever hashes to more is not in it.
    private(set) var threshold = Int32.max
    /// By the place of the timing.
    private(set) var tallies: [Int: Tally] = [:]
    private var whole = Tally()

    mutating func add(_ devices: [Int64], hashes: [Int32], at place: Int) {
        for (device, hash) in zip(devices, hashes) where hash <= threshold {
            people.append(Person(hash: hash, device: device, place: place))
        }
        guard people.count > Self.size else { return }
        people.sort { $0.hash < $1.hash }
        people.removeLast(people.count - Self.size)
        threshold = people.last?.hash ?? threshold
    }

    /// Reads what the content needs of them, and composes. `now` is when it would be sent, in seconds since 1970.
    mutating func compose(_ content: CompiledContent, app: App.ID, now: Int, from store: ForecastStore) async throws {
        people.sort { $0.device < $1.device }
        let composer = ContentComposer(content, now: now)
        for start in stride(from: 0, to: people.count, by: Self.slice) {
            let slice = people[start..<min(start + Self.slice, people.count)]
            let rows = try await store.values(of: slice.map(\.device), app: app, needs: content.needs)
            try compose(slice, rows, with: composer)
        }
    }

    /// Both sides are sorted by id; who has gone meanwhile has no row.
    private mutating func compose(
        _ slice: ArraySlice<Person>, _ rows: PostgresRows, with composer: ContentComposer
    ) throws {
        let id = [UInt8](MessageID(messageNumber: 0, device: 0, tag: 0).text.utf8)
        var payload = [UInt8](repeating: 0, count: composer.content.limit)
        var row = 0
        for person in slice {
            guard row < rows.count else { return }
            guard try rows[row][0, as: Int64.self] == person.device else { continue }
            let outcome = withExtendedLifetime(rows) {
                id.withUnsafeBytes { id in
                    payload.withUnsafeMutableBytes { payload in
                        composer.compose(values: { rows.lend(row: row, column: 1 + $0) }, id: id, into: payload)
                    }
                }
            }
            tallies[person.place, default: Tally()].note(outcome)
            whole.note(outcome)
            row += 1
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
