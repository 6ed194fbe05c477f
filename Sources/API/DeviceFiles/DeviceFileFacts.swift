import JSON
import Notifications

/// How a device file was read, for its report and its preview.
struct DeviceFileFacts: Sendable {
    private var encoding = TextEncoding.utf8
    /// Nil for NDJSON.
    private var separator: UInt8?
    private var vendor: String?
    private var leftOut: [String] = []

    init() {}

    init(_ reader: DeviceFileReader) {
        encoding = reader.encoding
        separator = reader.dialect?.separator
        vendor = reader.header?.vendor?.name
        leftOut = reader.header?.leftOut ?? []
    }

    var json: JSON {
        [
            "encoding": .string(encoding.rawValue),
            "separator": separator.map { .string(String(Unicode.Scalar($0))) } ?? .null,
            "vendor": vendor.map { .string($0) } ?? .null,
            "columns_left_out": .array(leftOut.map { .string($0) }),
        ]
    }
}
