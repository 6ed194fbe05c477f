import Campaigns
import Postgres
import Store

/// A sample of a forecast's recipients, composed as the sender would: a template may be empty for one recipient and too
/// long for another.
///
/// It contains the recipients whose ids have the lowest hashes, so that each has the same chance, whatever their id and
/// timing. If they are few, it contains all of them.
struct RenderingSample {
    /// The maximum number of recipients that are composed.
    static let size = 20_000
    /// Recipients composed without a pause: a few milliseconds of the loop.
    private static let slice = 2_000

    private struct Person {
        let hash: Int32
        let device: Int64
        let index: Int
    }

    /// The results for recipients with the same timing.
    struct Tally {
        var composed = 0
        /// By outcome code.
        var suppressed: [Int: Int] = [:]

        mutating func record(_ outcome: ComposeOutcome) {
            composed += 1
            if let code = outcome.suppression { suppressed[Int(code), default: 0] += 1 }
        }
    }

    private var people: [Person] = []
    /// Recipients with a higher hash are not in the sample.
    private(set) var threshold = Int32.max
    /// By the index of the timing.
    private(set) var tallies: [Int: Tally] = [:]
    private var whole = Tally()

    mutating func add(_ devices: [Int64], hashes: [Int32], at index: Int) {
        for (device, hash) in zip(devices, hashes) where hash <= threshold {
            people.append(Person(hash: hash, device: device, index: index))
        }
        guard people.count > Self.size else { return }
        people.sort { $0.hash < $1.hash }
        people.removeLast(people.count - Self.size)
        threshold = people.last?.hash ?? threshold
    }

    /// Reads the values that the contents need, and composes.
    mutating func compose(with composers: VariantComposers, app: App.ID, from store: ForecastStore) async throws {
        people.sort { $0.device < $1.device }
        for start in stride(from: 0, to: people.count, by: Self.slice) {
            let slice = people[start..<min(start + Self.slice, people.count)]
            let rows = try await store.values(of: slice.map(\.device), app: app, needs: composers.needs)
            try compose(slice, rows, with: composers)
        }
    }

    /// Both sides are sorted by id. A device that was removed meanwhile has no row.
    private mutating func compose(
        _ slice: ArraySlice<Person>, _ rows: PostgresRows, with composers: VariantComposers
    ) throws {
        var row = 0
        for person in slice {
            guard row < rows.count else { return }
            guard try rows[row][0, as: Int64.self] == person.device else { continue }
            let outcome = withExtendedLifetime(rows) {
                composers.outcome(for: person.device) { rows.lend(row: row, column: 1 + $0) }
            }
            tallies[person.index, default: Tally()].record(outcome)
            whole.record(outcome)
            row += 1
        }
    }

    /// The margin of error, at 95% confidence, of those of `count` recipients with this timing who are sent to. If the
    /// sample has nobody who is suppressed, it is three times the weight of one recipient.
    func margin(of count: Int, at index: Int) -> Int {
        let tally = tallies[index] ?? whole
        let composed = Double(max(1, tally.composed))
        let share = Double(tally.suppressed.values.reduce(0, +)) / composed
        let unseen = max(0, 1 - composed / Double(max(1, count)))
        let deviation = (share * (1 - share) / composed * unseen).squareRoot()
        return Int((Double(count) * max(1.96 * deviation, 3 / composed)).rounded(.up))
    }

    /// The number of `count` recipients with this timing that are suppressed, by outcome code. Uses the share among
    /// composed recipients with this timing, or among all composed recipients if there are none.
    func suppressed(of count: Int, at index: Int) -> [Int: Int] {
        let tally = tallies[index] ?? whole
        let scale = Double(count) / Double(max(1, tally.composed))
        return tally.suppressed.mapValues { Int((Double($0) * scale).rounded()) }
    }
}
