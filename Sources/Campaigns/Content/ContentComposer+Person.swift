/// What a content makes of one person who was looked up for it.
public enum PersonalPayload: Sendable {
    case payload([UInt8])
    /// There is nothing to show here, and no default.
    case missing(Field)
    case tooLong
}

extension ContentComposer {
    /// The payload for one person, in bytes of its own.
    public func compose(for person: SamplePerson, id: MessageID) -> PersonalPayload {
        let values = ColumnValues(content.needs, person.value)
        let text = [UInt8](id.text.utf8)
        return withUnsafeTemporaryAllocation(byteCount: content.limit, alignment: 8) { buffer in
            switch values.compose(self, id: text, into: buffer) {
            case .written(let length): .payload(Array(UnsafeRawBufferPointer(rebasing: buffer[..<length])))
            case .missing(let place): .missing(content.needs[place])
            case .tooLong: .tooLong
            }
        }
    }
}
