internal import CNGHTTP2

/// A reusable list of header fields in nghttp2's own format. Nothing is copied: names and values
/// must remain valid until the frame has been written.
public final class HeaderList {
    let fields: UnsafeMutablePointer<nghttp2_nv>
    public let capacity: Int
    public private(set) var count = 0

    public init(capacity: Int) {
        self.capacity = capacity
        fields = .allocate(capacity: capacity)
    }

    deinit { fields.deallocate() }

    public func removeAll() { count = 0 }

    /// Adds a field and returns its index. `isIndexed` lets HPACK add it to the dynamic table; pass false for a
    /// value that is secret or not repeated (RFC 7541 §6.2.3).
    @discardableResult
    public func append(name: StaticString, value: UnsafeRawBufferPointer, isIndexed: Bool) -> Int {
        precondition(count < capacity, "the header list is full")
        fields[count] = nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.utf8Start),
            value: Self.bytes(value), namelen: name.utf8CodeUnitCount, valuelen: value.count,
            flags: Self.flags(isIndexed: isIndexed))
        count += 1
        return count - 1
    }

    /// Replaces the value of the field at `index`.
    public func setValue(at index: Int, _ value: UnsafeRawBufferPointer) {
        fields[index].value = Self.bytes(value)
        fields[index].valuelen = value.count
    }

    /// Changes whether the field at `index` may be in HPACK's dynamic table. While it may not, nghttp2 sends the value
    /// in full even if the table has it.
    public func setIndexed(at index: Int, _ isIndexed: Bool) {
        fields[index].flags = Self.flags(isIndexed: isIndexed)
    }

    private static func flags(isIndexed: Bool) -> UInt8 {
        let flags = NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue
        return UInt8(truncatingIfNeeded: flags | (isIndexed ? 0 : NGHTTP2_NV_FLAG_NO_INDEX.rawValue))
    }

    /// Removes all fields after the first `count`; an optional field goes last.
    public func truncate(to count: Int) { self.count = min(self.count, count) }

    private static func bytes(_ value: UnsafeRawBufferPointer) -> UnsafeMutablePointer<UInt8>? {
        value.baseAddress.map { UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: UInt8.self)) }
    }
}
