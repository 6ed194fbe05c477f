/// Scans outcomes for one page of the requested ones. A value type; batches are passed in by id.
public struct DeliveryScan {
    public struct Match {
        public let position: DeliveryPosition
        public let outcome: OutcomeByte
    }

    public let codes: Set<UInt8>
    public let limit: Int
    /// The position to continue at: this index of this batch, or the start of the next existing batch.
    public private(set) var position: DeliveryPosition
    public private(set) var found: [Match] = []
    /// The number of batches scanned.
    public private(set) var batches = 0
    public private(set) var hasReachedEnd = false

    public init(codes: Set<UInt8>, from: DeliveryPosition?, limit: Int) {
        self.codes = codes
        self.limit = limit
        position = from ?? DeliveryPosition(batch: 0, index: 0)
    }

    public var isOver: Bool { hasReachedEnd || found.count >= limit }

    /// `indices`, in ascending order, are the recipients to scan; nil for all.
    public mutating func read(_ batch: Int64, _ outcomes: UnsafeRawBufferPointer, only indices: [Int]? = nil) {
        var index = batch == position.batch ? position.index : 0
        if let indices {
            for candidate in indices where candidate >= index && candidate < outcomes.count && found.count < limit {
                look(at: candidate, of: batch, outcomes)
                index = candidate + 1
            }
            // Without a full page, the rest of the batch has no recipient to scan.
            if found.count < limit { index = outcomes.count }
        } else {
            while index < outcomes.count, found.count < limit {
                look(at: index, of: batch, outcomes)
                index += 1
            }
        }
        batches += 1
        position =
            index < outcomes.count
            ? DeliveryPosition(batch: batch, index: index) : DeliveryPosition(batch: batch + 1, index: 0)
    }

    private mutating func look(at index: Int, of batch: Int64, _ outcomes: UnsafeRawBufferPointer) {
        let outcome = OutcomeByte(rawValue: outcomes[index])
        guard codes.contains(outcome.code) else { return }
        found.append(Match(position: DeliveryPosition(batch: batch, index: index), outcome: outcome))
    }

    /// There are no more batches.
    public mutating func reachEnd() {
        // Matches beyond the limit belong to the next page.
        if found.count < limit { hasReachedEnd = true }
    }

    /// The start of the next page.
    public var next: DeliveryPosition? { hasReachedEnd ? nil : position }
}
