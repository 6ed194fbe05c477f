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
    /// Whether bytes are no characters, which in most cases means that the encoding is another one.
    private let hasInvalidText: Bool
    private var report = ImportReport()

    /// `isWhole` says that the bytes are the whole file; otherwise their last line may be incomplete, and is not looked at.
    init(
        _ bytes: [UInt8], _ format: FileFormat, _ options: DeviceFileOptions, isWhole: Bool
    ) throws(APIError) {
        var reader = DeviceFileReader(format, options, sampleSize: Self.maximumSamples)
        var lines = try reader.feed(bytes)
        if isWhole { lines += try reader.finish() }
        self.reader = reader
        // The last character of the beginning may be cut.
        let end = isWhole ? bytes.count : bytes.lastIndex { $0 == 0x0A || $0 == 0x0D } ?? 0
        hasInvalidText = reader.encoding == .utf8 && String(validating: bytes[..<end], as: UTF8.self) == nil
        for line in lines {
            switch line.content {
            case .device(let body): report.addStored(line: line.number, body.warnings)
            case .refused(let problems): report.addRefused(line: line.number, problems.problems)
            case .leftOut: report.addLeftOut()
            }
        }
    }

    var json: JSON {
        let header = reader.header
        return [
            "file": DeviceFileFacts(reader).json,
            "columns": .array(header.map(columns) ?? members),
            "has_invalid_text": .bool(hasInvalidText),
            "needs_environment": .bool(header.map { $0.hasToken && !$0.hasEnvironment } ?? false),
            "problems": .array((header?.problems ?? []).map(\.json)),
            "lines": .count(report.lines), "accepted": .count(report.stored), "failed": .count(report.refused),
            "left_out": .count(report.leftOut), "failures": report.json["failures"]?.prefix(Self.maximumLines) ?? [],
            "changes": report.json["changes"]?.prefix(Self.maximumLines) ?? [],
        ]
    }

    private func columns(_ header: DeviceHeader) -> [JSON] {
        header.columns.enumerated().map { index, column in
            let values = reader.samples.map { record in
                record.fields.indices.contains(index) ? String(decoding: record.fields[index], as: UTF8.self) : ""
            }
            return Self.column(column.name, column.meaning, column.suggestion, values)
        }
    }

    /// The members of the first objects of an NDJSON file.
    private var members: [JSON] {
        let objects = reader.objectSamples.map { bytes -> [JSON.Member] in
            if case .object(let members)? = try? JSON(parsing: bytes) { members } else { [] }
        }
        var names: [String] = []
        for member in objects.joined() where !names.contains(member.key) { names.append(member.key) }
        return names.prefix(CSVParser.maximumFields).map { name in
            let values = objects.map { members in members.first { $0.key == name }?.value.shown ?? "" }
            let column = DeviceColumn.all.first { $0.name == name }
            return Self.column(name, column.map { .column($0) } ?? .unknown, DeviceColumn.suggestion(for: name), values)
        }
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
