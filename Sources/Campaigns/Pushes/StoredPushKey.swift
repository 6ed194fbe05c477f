/// The stored record of a request, by its idempotency key.
public struct StoredPushKey: Sendable {
    public let app: App.ID
    public let key: IdempotencyKey
    public let receipt: PushReceipt

    public init(app: App.ID, key: IdempotencyKey, receipt: PushReceipt) {
        self.app = app
        self.key = key
        self.receipt = receipt
    }
}
