import Campaigns

/// Divides a process's free capacity among the runs that have ready batches. The app with the fewest batches comes
/// first, and of its runs the one with the fewest, so that neither an app with many runs nor a run that began earlier
/// or has more batches ready gets a larger share.
///
/// Docs/decisions/sending.md explains how runs share a process.
struct BatchShares {
    /// A run with ready batches.
    struct Candidate {
        let app: App.ID
        /// The run's batches that this process is already sending.
        let held: Int
        /// Pushes per second; nil without a limit.
        let pushesPerSecond: Int?

        /// The number of batches that the rate limit can keep busy.
        fileprivate var useful: Int { BatchShares.useful(at: pushesPerSecond) }
    }

    /// Pushes per second of one batch if Apple allows only 100 concurrent streams and answers in a tenth of a second.
    static let pushesPerSecondPerBatch = 1_000

    /// The batches of an app that a process is sending now.
    struct Held: Equatable {
        var all = 0
        /// Those of runs without a rate limit, which compete for the processor.
        var unlimited = 0
    }

    /// This many runs get one batch each even without free capacity, so a small run never waits for a large one. But of
    /// an app with many runs, only as many as leave the other apps their shares; runs with a rate limit hardly use
    /// theirs.
    let maximumRuns: Int

    /// The number of batches that each run may claim. `heldByApp` counts the batches that this process is sending now,
    /// and `runs` their runs. Ties rotate by `turn`, so no run starves.
    func shares(
        of ready: [Candidate], heldByApp: [App.ID: Held], freeCapacity: Int, runs: Int, turn: Int
    ) -> [Int] {
        let order = ready.indices.map { (turn + $0) % ready.count }
        var shares = [Int](repeating: 0, count: ready.count)
        var (free, runs, perApp) = (freeCapacity, runs, heldByApp)
        func total(_ index: Int) -> Int { ready[index].held + shares[index] }
        func held(_ index: Int) -> Held { perApp[ready[index].app, default: Held()] }
        func next(where isAllowed: (Int) -> Bool) -> Int? {
            order.filter(isAllowed).min {
                (held($0).all, total($0)) < (held($1).all, total($1))
            }
        }
        func give(_ index: Int) {
            shares[index] += 1
            free -= 1
            perApp[ready[index].app, default: Held()].all += 1
            if ready[index].pushesPerSecond == nil { perApp[ready[index].app, default: Held()].unlimited += 1 }
            if total(index) == 1 { runs += 1 }
        }
        while free > 0, let index = next(where: { total($0) < ready[$0].useful }) { give(index) }
        func leavesOthersTheirShare(_ index: Int) -> Bool {
            guard ready[index].pushesPerSecond == nil else { return true }
            let fewest = order.filter { ready[$0].pushesPerSecond == nil }.map { held($0).unlimited }.min()
            return held(index).unlimited <= fewest ?? 0
        }
        while runs < maximumRuns, let index = next(where: { total($0) == 0 && leavesOthersTheirShare($0) }) {
            give(index)
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
