import Campaigns
import HTTPServer
import JSON
import Notifications
import Store

/// How a file of devices is written.
enum DeviceFileFormat: String, CaseIterable, Sendable {
    /// RFC 4180, with a header.
    case csv
    /// One JSON object a line.
    case ndjson

    var contentType: String {
        switch self {
        case .csv: "text/csv"
        case .ndjson: "application/x-ndjson"
        }
    }

    init?(contentType field: String) {
        let type = field.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        guard let match = Self.allCases.first(where: { $0.contentType == type }) else { return nil }
        self = match
    }
}

/// One line of a file of devices, read.
struct DeviceLine: Sendable {
    /// From 1; of a record with line breaks in quotes its first.
    let number: Int
    let content: Result<RegistrationBody, Problems>
}

/// Reads devices from a file's bytes as they come. A value, and the same for any way the file is cut.
struct DeviceFileReader: Sendable {
    private enum Parser: Sendable {
        /// The columns are known once the header is complete.
        case csv(CSVParser, DeviceRecordReader?)
        case ndjson(LineParser)
    }

    private var parser: Parser
    private let timeZones: Set<String>

    init(_ format: DeviceFileFormat, timeZones: Set<String>) {
        parser =
            switch format {
            case .csv: .csv(CSVParser(), nil)
            case .ndjson: .ndjson(LineParser())
            }
        self.timeZones = timeZones
    }

    /// The lines that these bytes complete. Refused: a header that will not do.
    mutating func feed(_ piece: [UInt8]) throws(APIError) -> [DeviceLine] {
        try read { parser, records in
            parser.feed(piece, into: &records)
        } ndjson: { parser, lines in
            parser.feed(piece, into: &lines)
        }
    }

    /// The file ends: what stands behind its last line feed. Refused: a file of CSV without a header.
    mutating func finish() throws(APIError) -> [DeviceLine] {
        let lines = try read {
            $0.finish(into: &$1)
        } ndjson: {
            $0.finish(into: &$1)
        }
        if case .csv(_, nil) = parser {
            throw .badRequest("no-header", "The file is empty; its first line names the columns.")
        }
        return lines
    }

    private mutating func read(
        csv: (inout CSVParser, inout [CSVParser.Record]) -> Void,
        ndjson: (inout LineParser, inout [LineParser.Line]) -> Void
    ) throws(APIError) -> [DeviceLine] {
        switch parser {
        case .csv(var csvParser, var reader):
            // Nobody else holds its bytes while it grows.
            parser = .ndjson(LineParser())
            var records: [CSVParser.Record] = []
            csv(&csvParser, &records)
            var rest = records[...]
            if reader == nil, let header = rest.popFirst() {
                reader = DeviceRecordReader(columns: try DeviceColumn.columns(of: header))
            }
            parser = .csv(csvParser, reader)
            guard let reader else { return [] }
            return rest.map { line($0, reader) }
        case .ndjson(var lineParser):
            parser = .csv(CSVParser(), nil)
            var lines: [LineParser.Line] = []
            ndjson(&lineParser, &lines)
            parser = .ndjson(lineParser)
            return lines.map(line)
        }
    }

    private func line(_ record: CSVParser.Record, _ reader: DeviceRecordReader) -> DeviceLine {
        if let fault = record.fault {
            return DeviceLine(number: record.line, content: .failure(Problems([fault.problem()])))
        }
        return DeviceLine(number: record.line, content: reader.object(record).flatMap(body))
    }

    private func line(_ line: LineParser.Line) -> DeviceLine {
        guard let bytes = line.bytes else {
            let message = "is longer than \(LineParser.maximumLineSize) bytes"
            return DeviceLine(
                number: line.number,
                content: .failure(Problems([Problem(path: "", code: "too-long", message: message)])))
        }
        return DeviceLine(number: line.number, content: body(bytes))
    }

    private func body(_ bytes: [UInt8]) -> Result<RegistrationBody, Problems> {
        do throws(ByteReader.Malformed) {
            let (body, problems) = try RegistrationBody.read(bytes, as: Self.form, isTimeZone: timeZones.contains)
            return problems.isEmpty ? .success(body) : .failure(Problems(problems))
        } catch {
            let isText = String(validating: bytes, as: UTF8.self) != nil
            let problem =
                isText
                ? Problem(path: "", code: "invalid-json", message: "is no JSON: \(error.message)")
                : Problem(path: "", code: "not-utf8", message: "is not valid UTF-8; save the file in that encoding")
            return .failure(Problems([problem]))
        }
    }

    private static let form = RegistrationBody.Form(
        need: .environmentOfToken, namesInstallation: true, isTrusted: true, ignored: DeviceColumn.ignoredNames)
}
