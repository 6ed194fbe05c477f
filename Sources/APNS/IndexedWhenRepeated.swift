/// Decides whether a header field that may change with each push is added to HPACK's dynamic table (RFC 7541 §2.3.2):
/// only once a number of pushes in a row had its value. A value that is used once would push others out of the table,
/// which holds some forty fields.
///
/// It retains nothing: `value` belongs to the headers of the push.
///
/// Docs/decisions/apple.md explains which fields are indexed.
struct IndexedWhenRepeated {
    /// Pushes with the same value before it is indexed. A transactional push goes to the few devices of a person, a
    /// campaign's batch to thousands.
    static let threshold = 8

    private(set) var value: UnsafeRawBufferPointer?
    private var pushes = 0

    /// Sets the value of the next pushes; nil if they do not have the field. Must be called while the earlier value is
    /// in memory.
    mutating func set(_ value: UnsafeRawBufferPointer?) {
        if !isEqual(value) { pushes = 0 }
        self.value = value
    }

    /// Counts a push, and returns whether its field is indexed.
    mutating func nextIsIndexed() -> Bool {
        pushes += 1
        return pushes > Self.threshold
    }

    private func isEqual(_ other: UnsafeRawBufferPointer?) -> Bool {
        guard let value, let other else { return value == nil && other == nil }
        return value.elementsEqual(other)
    }
}
