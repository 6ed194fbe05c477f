import Campaigns

/// Looks through outcomes for a page of those that were asked for. A value; the batches come in by their ids.
struct DeliveryScan {
    struct Match {
        let position: DeliveryPosition
        let outcome: OutcomeByte
    }

    let codes: Set<UInt8>
    let limit: Int
    /// Where to go on: at this index of this batch, or at the start of the next there is.
    private(set) var position: DeliveryPosition
    private(set) var found: [Match] = []
    /// Batches that were looked through.
    private(set) var batches = 0
    private(set) var hasReachedEnd = false

    init(codes: Set<UInt8>, from: DeliveryPosition?, limit: Int) {
        self.codes = codes
        self.limit = limit
        position = from ?? DeliveryPosition(batch: 0, index: 0)
    }

    var isOver: Bool { hasReachedEnd || found.count >= limit }

    mutating func read(_ batch: Int64, _ outcomes: UnsafeRawBufferPointer) {
        var index = batch == position.batch ? position.index : 0
        while index < outcomes.count, found.count < limit {
            let outcome = OutcomeByte(rawValue: outcomes[index])
            if codes.contains(outcome.code) {
                found.append(Match(position: DeliveryPosition(batch: batch, index: index), outcome: outcome))
            }
            index += 1
        }
        batches += 1
        position =
            index < outcomes.count
            ? DeliveryPosition(batch: batch, index: index) : DeliveryPosition(batch: batch + 1, index: 0)
    }

    /// There are no more batches.
    mutating func reachEnd() {
        // What is found beyond the limit is for the next page.
        if found.count < limit { hasReachedEnd = true }
    }

    /// Where the next page begins.
    var next: DeliveryPosition? { hasReachedEnd ? nil : position }
}
