/// The result of composing content for one recipient.
public enum ComposedPayload: Sendable {
    case payload([UInt8])
    /// The field has no value and no default.
    case missing(Field)
    /// The field has a value that its placeholder can't show.
    case unusable(Field)
    case tooLong
}

extension ContentComposer {
    /// The payload for one recipient, in newly allocated bytes.
    public func compose(for person: RecipientProfile, id: MessageID) -> ComposedPayload {
        let values = ColumnValues(content.needs, person.value)
        let text = [UInt8](id.text.utf8)
        return withUnsafeTemporaryAllocation(byteCount: content.limit, alignment: 8) { buffer in
            switch values.compose(self, id: text, into: buffer) {
            case .written(let length): .payload(Array(UnsafeRawBufferPointer(rebasing: buffer[..<length])))
            case .missing(let index): .missing(content.needs[index])
            case .unusable(let index): .unusable(content.needs[index])
            case .tooLong: .tooLong
            }
        }
    }
}
