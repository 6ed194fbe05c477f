import Campaigns

/// Divides a process's free capacity among the runs that have ready batches. The run with the fewest batches comes
/// first, so a run that began earlier or has more batches ready gets no larger share.
struct BatchShares {
    /// A run with ready batches.
    struct Candidate {
        /// The run's batches that this process is already sending.
        let held: Int
        /// Pushes per second; nil without a limit.
        let pushesPerSecond: Int?

        /// The number of batches that the rate limit can keep busy.
        fileprivate var useful: Int { BatchShares.useful(at: pushesPerSecond) }
    }

    /// Pushes per second of one batch if Apple allows only 100 concurrent streams and answers in a tenth of a second.
    static let pushesPerSecondPerBatch = 1_000

    /// This many runs get one batch each even without free capacity, so a small run never waits for a large one.
    let maximumRuns: Int

    /// The number of batches that each run may claim. `runs` is the number of runs that this process is sending now.
    /// Ties rotate by `turn`, so no run starves.
    func shares(of ready: [Candidate], freeCapacity: Int, runs: Int, turn: Int) -> [Int] {
        let order = ready.indices.map { (turn + $0) % ready.count }
        var shares = [Int](repeating: 0, count: ready.count)
        var (free, runs) = (freeCapacity, runs)
        for index in order where ready[index].held == 0 && (free > 0 || runs < maximumRuns) {
            shares[index] = 1
            free -= 1
            runs += 1
        }
        func total(_ index: Int) -> Int { ready[index].held + shares[index] }
        while free > 0,
            let next = order.filter({ total($0) < ready[$0].useful }).min(by: { total($0) < total($1) })
        {
            shares[next] += 1
            free -= 1
        }
        // A push without an answer blocks its batch until the deadline: a spare batch maintains the rate meanwhile.
        for index in order where ready[index].pushesPerSecond != nil && total(index) == ready[index].useful {
            shares[index] += 1
        }
        return shares
    }

    /// The capacity that a run's batches take. The spare batch of a rate-limited run takes none: it adds no pushes.
    static func slotsUsed(_ held: Int, pushesPerSecond: Int?) -> Int { min(held, useful(at: pushesPerSecond)) }

    private static func useful(at pushesPerSecond: Int?) -> Int {
        pushesPerSecond.map { 1 + $0 / pushesPerSecondPerBatch } ?? .max
    }
}
