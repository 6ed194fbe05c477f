import HTTPServer
import JSON
import Notifications

/// The devices that an import would make of the beginning of a file. Nothing is stored.
struct DeviceFilePreview {
    /// The maximum size of the beginning, in bytes.
    static let maximumSize = 1 << 20
    static let maximumSamples = 5
    /// In characters.
    static let maximumValueLength = 200
    /// The maximum number of lines that are listed with problems.
    static let maximumLines = 100

    private let reader: DeviceFileReader
    /// The encodings in which bytes that are no characters would be text; empty if there are no such bytes.
    private let possibleEncodings: [TextEncoding]
    private let file: UnpackedStart
    private var report = ImportReport()

    /// Unless the file is whole, its last line may be incomplete, and is not looked at.
    init(_ file: UnpackedStart, _ format: FileFormat, _ options: DeviceFileOptions) throws(APIError) {
        self.file = file
        let (bytes, isWhole) = (file.bytes, file.isWhole)
        var reader = DeviceFileReader(format, options, sampleSize: Self.maximumSamples)
        var lines = try reader.feed(bytes)
        lines += try isWhole ? reader.finish() : reader.finishPart()
        self.reader = reader
        // The last character of the beginning may be cut.
        let end = isWhole ? bytes.count : bytes.lastIndex { $0 == 0x0A || $0 == 0x0D } ?? 0
        let isInvalid = reader.encoding == .utf8 && String(validating: bytes[..<end], as: UTF8.self) == nil
        possibleEncodings = isInvalid ? TextEncoding.possible(for: Array(bytes[..<end])) : []
        for line in lines {
            switch line.content {
            case .device(let body): report.addStored(line: line.number, body.warnings, isOptedOut: body.isOptedOutOfAll)
            case .refused(let problems): report.addRefused(line: line.number, problems.problems)
            case .leftOut: report.addLeftOut()
            }
        }
    }

    var json: JSON {
        let header = reader.header
        return [
            "file": DeviceFileFacts(reader, isCompressed: file.isCompressed).json,
            "bytes_read": .count(file.read), "is_whole": .bool(file.isWhole),
            "columns": .array(header.map(columns) ?? []),
            "possible_encodings": .array(possibleEncodings.map { .string($0.rawValue) }),
            "needs_environment": .bool(header.map { $0.hasToken && !$0.hasEnvironment } ?? false),
            "problems": .array((header?.problems ?? []).map(\.json)),
            "lines": .count(report.lines), "accepted": .count(report.stored), "failed": .count(report.refused),
            "left_out": .count(report.leftOut), "opted_out": .count(report.optedOut),
            "failures": report.json["failures"]?.prefix(Self.maximumLines) ?? [],
            "changes": report.json["changes"]?.prefix(Self.maximumLines) ?? [],
        ]
    }

    private func columns(_ header: DeviceHeader) -> [JSON] {
        let values = reader.format == .csv ? fields(header) : members(header)
        return zip(header.columns, values).map { Self.column($0.name, $0.meaning, $0.suggestion, $1) }
    }

    private func fields(_ header: DeviceHeader) -> [[String]] {
        header.columns.indices.map { index in
            reader.samples.map { record in
                record.fields.indices.contains(index) ? String(decoding: record.fields[index], as: UTF8.self) : ""
            }
        }
    }

    /// The values of the members of the first objects.
    private func members(_ header: DeviceHeader) -> [[String]] {
        let objects = reader.objectSamples.map { try? JSON(parsing: $0) }
        return header.columns.map { column in objects.map { $0?[column.name]?.shown ?? "" } }
    }

    private static func column(
        _ name: String, _ meaning: DeviceHeader.Meaning, _ suggestion: String?, _ values: [String]
    ) -> JSON {
        let (recognition, becomes): (String, String?) =
            switch meaning {
            case .column(.ignored(let name)): ("ignored", name)
            case .column(let column): ("known", column.header)
            case .leftOut: ("left_out", nil)
            case .unnamed: ("unnamed", nil)
            case .unknown: ("unknown", nil)
            }
        return [
            "name": .string(name), "recognition": .string(recognition), "becomes": becomes.map { .string($0) } ?? .null,
            "suggestion": meaning == .unknown ? suggestion.map { .string($0) } ?? .null : .null,
            "values": .array(values.map { .string(String($0.prefix(maximumValueLength))) }),
        ]
    }
}

extension JSON {
    /// A text as it is, and anything else as JSON.
    fileprivate var shown: String {
        if case .string(let text) = self { text } else { String(decoding: encoded(), as: UTF8.self) }
    }

    fileprivate func prefix(_ count: Int) -> JSON {
        if case .array(let elements) = self { .array(Array(elements.prefix(count))) } else { self }
    }
}
