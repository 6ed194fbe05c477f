/// A recipient's position: the batch, and the index within it from 0.
public struct DeliveryPosition: Hashable, Sendable {
    public let batch: Int64
    public let index: Int

    public init(batch: Int64, index: Int) {
        self.batch = batch
        self.index = index
    }
}
