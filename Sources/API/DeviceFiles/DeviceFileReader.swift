import Campaigns
import HTTPServer
import JSON
import Notifications
import Store

/// One parsed line of a device file.
struct DeviceLine: Sendable {
    /// The line number, from 1; for a record with line breaks in quotes, the number of its first line.
    let number: Int
    let content: Result<RegistrationBody, Problems>
}

/// Reads devices from the bytes of a file, incrementally. A value; the result doesn't depend on how the file is divided
/// into pieces.
struct DeviceFileReader: Sendable {
    private enum Parser: Sendable {
        /// The record reader is nil until the header is complete.
        case csv(CSVParser, DeviceRecordReader?)
        case ndjson(LineParser)
    }

    private var parser: Parser

    init(_ format: FileFormat) {
        parser =
            switch format {
            case .csv: .csv(CSVParser(), nil)
            case .ndjson: .ndjson(LineParser())
            }
    }

    /// The lines that these bytes complete. Throws if the header is invalid.
    mutating func feed(_ piece: [UInt8]) throws(APIError) -> [DeviceLine] {
        try read { parser, records in
            parser.feed(piece, into: &records)
        } ndjson: { parser, lines in
            parser.feed(piece, into: &lines)
        }
    }

    /// Ends the file and returns the line after the last line feed. Throws for a CSV file without a header.
    mutating func finish() throws(APIError) -> [DeviceLine] {
        let lines = try read {
            $0.finish(into: &$1)
        } ndjson: {
            $0.finish(into: &$1)
        }
        if case .csv(_, nil) = parser {
            throw .badRequest("no-header", "The file is empty. Its first line must name the columns.")
        }
        return lines
    }

    private mutating func read(
        csv: (inout CSVParser, inout [CSVParser.Record]) -> Void,
        ndjson: (inout LineParser, inout [LineParser.Line]) -> Void
    ) throws(APIError) -> [DeviceLine] {
        switch parser {
        case .csv(var csvParser, var reader):
            // Gives up the stored copy, so that appending does not copy the bytes.
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
        let form = Self.form(mergesAttributes: reader.hasSingleAttributes)
        return DeviceLine(number: record.line, content: reader.object(record).flatMap { body($0, form) })
    }

    private func line(_ line: LineParser.Line) -> DeviceLine {
        guard let bytes = line.bytes else {
            let message = "is longer than \(LineParser.maximumLineSize) bytes"
            return DeviceLine(
                number: line.number,
                content: .failure(Problems([Problem(path: "", code: "too-long", message: message)])))
        }
        return DeviceLine(number: line.number, content: body(bytes, Self.form(mergesAttributes: false)))
    }

    private func body(_ bytes: [UInt8], _ form: RegistrationBody.Form) -> Result<RegistrationBody, Problems> {
        do throws(ByteReader.Malformed) {
            let (body, problems) = try RegistrationBody.read(bytes, as: form)
            return problems.isEmpty ? .success(body) : .failure(Problems(problems))
        } catch {
            let isText = String(validating: bytes, as: UTF8.self) != nil
            let problem =
                isText
                ? Problem(path: "", code: "invalid-json", message: "is not JSON: \(error.message)")
                : Problem(path: "", code: "not-utf8", message: "is not valid UTF-8; save the file in that encoding")
            return .failure(Problems([problem]))
        }
    }

    /// `attributes` are all attributes of the device, as an export writes them; columns of single attributes change
    /// only those.
    private static func form(mergesAttributes: Bool) -> RegistrationBody.Form {
        RegistrationBody.Form(
            need: .environmentOfToken, namesInstallation: true, isTrusted: true, mergesAttributes: mergesAttributes,
            ignored: DeviceColumn.ignoredNames, times: DeviceColumn.timeNames)
    }
}
