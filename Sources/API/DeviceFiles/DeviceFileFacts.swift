import JSON
import Notifications

/// How a device file was read, for its report and its preview.
struct DeviceFileFacts: Sendable {
    private var format: FileFormat?
    private var encoding = TextEncoding.utf8
    /// Nil for JSON.
    private var separator: UInt8?
    private var vendor: String?
    private var leftOut: [String] = []
    private var isCompressed = false

    init() {}

    init(_ reader: DeviceFileReader, isCompressed: Bool) {
        format = reader.format
        self.isCompressed = isCompressed
        encoding = reader.encoding
        separator = reader.dialect?.separator
        vendor = reader.header?.vendor?.name
        leftOut = reader.header?.leftOut ?? []
    }

    var json: JSON {
        [
            "format": format.map { .string($0.rawValue) } ?? .null,
            "compression": isCompressed ? "gzip" : .null,
            "encoding": .string(encoding.rawValue),
            "separator": separator.map { .string(String(Unicode.Scalar($0))) } ?? .null,
            "vendor": vendor.map { .string($0) } ?? .null,
            "columns_left_out": .array(leftOut.map { .string($0) }),
        ]
    }
}
