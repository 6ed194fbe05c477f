/// The table and row that hold a secret. It is authenticated together with the secret, so a sealed value that is copied
/// into another row does not open there.
public struct SealedPlace: Hashable, Sendable {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }
}
