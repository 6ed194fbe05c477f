/// Names the table and row that contain a secret. It is authenticated together with the secret, so a sealed value that
/// is copied to another row can't be opened there.
public struct SealingContext: Hashable, Sendable {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    var bytes: [UInt8] { Array(text.utf8) }
}
