/// One row of a binary COPY, field by field in the order of COPY's columns. A field's type must be
/// exactly the column's: COPY does not convert.
public struct CopyRowWriter: ~Copyable {
    var bytes: [UInt8]
    private let start: Int
    private var fields: Int16 = 0

    init(appendingTo bytes: consuming [UInt8]) {
        self.bytes = bytes
        start = self.bytes.count
        self.bytes.append(integer: Int16(0))
    }

    public mutating func write(_ value: some PostgresEncodable) {
        bytes.append(field: value)
        fields += 1
    }

    consuming func finish() -> [UInt8] {
        var bytes = bytes
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: fields.bigEndian, toByteOffset: start, as: Int16.self) }
        return bytes
    }
}

/// The header of binary COPY: signature, flags and the length of the header extension
/// (PostgreSQL's manual, COPY, "Binary Format").
enum CopyHeader {
    static let bytes: [UInt8] = Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0] + [0, 0, 0, 0, 0, 0, 0, 0]
    static let trailer: [UInt8] = [0xff, 0xff]
}
