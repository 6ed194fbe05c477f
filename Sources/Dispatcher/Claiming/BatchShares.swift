import Campaigns

/// How a process divides its room for batches among the runs that have some ready: who holds fewest comes first, so
/// that a run which began earlier, or has more ready, gets no more than another.
struct BatchShares {
    /// A run with ready batches.
    struct Candidate {
        /// Batches of it that this process sends already.
        let held: Int
        /// Pushes a second; nil without a limit.
        let pace: Int?

        /// More batches at once than its pace can use would only wait.
        fileprivate var useful: Int { BatchShares.useful(at: pace) }
    }

    /// Pushes a second that one batch sends, also where Apple allows no more than a hundred at once and takes a tenth of
    /// a second for each.
    static let paceOfABatch = 1_000

    /// So many runs get one batch each even where there is no room: a small one waits for nobody.
    let maximumRuns: Int

    /// How many batches each may claim, with so much room in a process that sends so many runs. Whom the others wait for
    /// among equals changes with `turn`.
    func shares(of ready: [Candidate], room: Int, runs: Int, turn: Int) -> [Int] {
        let order = ready.indices.map { (turn + $0) % ready.count }
        var shares = [Int](repeating: 0, count: ready.count)
        var (free, runs) = (room, runs)
        for place in order where ready[place].held == 0 && (free > 0 || runs < maximumRuns) {
            shares[place] = 1
            free -= 1
            runs += 1
        }
        func total(_ place: Int) -> Int { ready[place].held + shares[place] }
        while free > 0,
            let next = order.filter({ total($0) < ready[$0].useful }).min(by: { total($0) < total($1) })
        {
            shares[next] += 1
            free -= 1
        }
        // A push without an answer holds up its batch until the deadline: where there is a pace, another keeps it.
        for place in order where ready[place].pace != nil && total(place) == ready[place].useful { shares[place] += 1 }
        return shares
    }

    /// How much room so many batches of a run take: the spare one of a pace takes none, since it sends nothing more.
    static func charge(_ held: Int, pace: Int?) -> Int { min(held, useful(at: pace)) }

    private static func useful(at pace: Int?) -> Int { pace.map { 1 + $0 / paceOfABatch } ?? .max }
}
