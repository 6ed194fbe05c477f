import JSON
import Notifications

/// One recipient's columns in PostgreSQL's binary form, for measuring and previewing.
struct ColumnValues {
    /// In the order of the content's `needs`.
    private var columns: [[UInt8]?]

    init(_ needs: [Field], _ value: (Field) -> JSON?) {
        columns = needs.map { field in value(field).flatMap { Self.bytes(of: field, $0) } }
    }

    private static func bytes(of field: Field, _ value: JSON) -> [UInt8]? {
        switch (field, value) {
        case (_, .null): nil
        case (.device, .string(let text)): Array(text.utf8)
        case (.device, let other): other.encoded()
        case (.attribute, let value): value.encoded()
        }
    }

    mutating func replace(_ index: Int, of field: Field, with value: JSON) {
        columns[index] = Self.bytes(of: field, value)
    }

    func compose(
        _ composer: ContentComposer, variant: Int? = nil, id: [UInt8], into buffer: UnsafeMutableRawBufferPointer
    ) -> ComposeOutcome {
        // All columns in one piece of memory, since the bytes of an array are valid only during a call.
        let all = columns.reduce(into: [UInt8]()) { $0 += $1 ?? [] }
        return all.withUnsafeBytes { bytes in
            id.withUnsafeBytes { id in
                var start = 0
                let places = columns.map { column -> UnsafeRawBufferPointer? in
                    guard let column else { return nil }
                    defer { start += column.count }
                    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + column.count])
                }
                return composer.compose(variant: variant, values: { places[$0] }, id: id, into: buffer)
            }
        }
    }
}
