/// A text that is compared by its bytes, as PostgreSQL does it. Swift's comparison treats a precomposed é and an e with
/// a combining accent as equal.
struct ByteString: Hashable {
    let text: String

    static func == (one: ByteString, other: ByteString) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
