import Campaigns
import HTTPServer
import JSON
import Notifications
import Store

/// One parsed line of a device file.
struct DeviceLine: Sendable {
    enum Content: Sendable {
        case device(RegistrationBody)
        case refused(Problems)
        /// The device is of another platform, or has no token in a file of a vendor.
        case leftOut
    }

    /// The line number, from 1; for a record with line breaks in quotes, the number of its first line.
    let number: Int
    let content: Content
}

/// Reads devices from the bytes of a file, incrementally. A value; the result doesn't depend on how the file is divided
/// into pieces.
///
/// bytes > UTF-8 text (`TextDecoder`) > separator (`CSVDialect`) > records (`CSVParser`) > columns (`DeviceHeader`)
/// > JSON objects (`DeviceRecordReader`) > devices (`RegistrationBody`)
struct DeviceFileReader: Sendable {
    private enum Parser: Sendable {
        /// The beginning of a CSV file, until the separator is known.
        case head([UInt8])
        /// The record reader is nil until the header is complete.
        case csv(CSVParser, DeviceRecordReader?)
        case ndjson(LineParser)
    }

    private let options: DeviceFileOptions
    private var decoder: TextDecoder
    private var parser: Parser
    private var isChecked = false
    private(set) var dialect: CSVDialect?
    private(set) var header: DeviceHeader?
    /// Records after the header, at most `sampleSize`.
    private(set) var samples: [CSVParser.Record] = []
    /// The same of an NDJSON file.
    private(set) var objectSamples: [[UInt8]] = []
    /// For a preview: the reader keeps some records, and does not throw for a header with problems.
    private let sampleSize: Int

    init(_ format: FileFormat, _ options: DeviceFileOptions = DeviceFileOptions(), sampleSize: Int = 0) {
        self.options = options
        self.sampleSize = sampleSize
        decoder = TextDecoder(options.encoding)
        parser =
            switch format {
            case .csv: .head([])
            case .ndjson: .ndjson(LineParser())
            }
    }

    var encoding: TextEncoding { decoder.encoding ?? options.encoding ?? .utf8 }

    /// The lines that these bytes complete. Throws if the header is invalid.
    mutating func feed(_ piece: [UInt8]) throws(APIError) -> [DeviceLine] {
        let text = decoder.decode(piece)
        return try read(text, isWhole: false)
    }

    /// Ends the file and returns the line after the last line end. Throws for a CSV file without a header.
    mutating func finish() throws(APIError) -> [DeviceLine] {
        let text = decoder.finish()
        let lines = try read(text, isWhole: true)
        if case .csv(_, nil) = parser, sampleSize == 0 { throw Self.empty }
        return lines
    }

    private var isNDJSON: Bool { if case .ndjson = parser { true } else { false } }

    private static let empty = APIError.badRequest(
        "no-header", "The file is empty. Its first line must name the columns.")

    private mutating func read(_ text: [UInt8], isWhole: Bool) throws(APIError) -> [DeviceLine] {
        if !isChecked, !text.isEmpty {
            isChecked = true
            if let refusal = UnreadableFile.refusal(of: text, isNDJSON: isNDJSON) { throw refusal }
        }
        switch parser {
        case .head(let before):
            let head = before + text
            guard let dialect = CSVDialect(head, isWhole: isWhole) else {
                parser = .head(head)
                return []
            }
            self.dialect = dialect
            let csvParser = CSVParser(separator: dialect.separator, line: dialect.linesBefore + 1)
            return try readCSV(head.dropFirst(dialect.bytesBefore), isWhole: isWhole, csvParser, nil)
        case .csv(let csvParser, let reader):
            // Gives up the stored copy, so that appending does not copy the bytes.
            parser = .head([])
            return try readCSV(text[...], isWhole: isWhole, csvParser, reader)
        case .ndjson(var lineParser):
            parser = .head([])
            var lines: [LineParser.Line] = []
            lineParser.feed(text, into: &lines)
            if isWhole { lineParser.finish(into: &lines) }
            parser = .ndjson(lineParser)
            if objectSamples.count < sampleSize {
                objectSamples += lines.compactMap(\.bytes).prefix(sampleSize - objectSamples.count)
            }
            return lines.map(line)
        }
    }

    private mutating func readCSV(
        _ text: ArraySlice<UInt8>, isWhole: Bool, _ parser: consuming CSVParser, _ known: DeviceRecordReader?
    ) throws(APIError) -> [DeviceLine] {
        var reader = known
        var records: [CSVParser.Record] = []
        parser.feed(text, into: &records)
        if isWhole { parser.finish(into: &records) }
        var rest = records[...]
        if reader == nil, let first = rest.popFirst() {
            let header = DeviceHeader(first, options)
            if sampleSize == 0, !header.problems.isEmpty { throw APIError(problems: header.problems) }
            self.header = header
            reader = DeviceRecordReader(header: header)
        }
        self.parser = .csv(parser, reader)
        guard let reader else { return [] }
        if samples.count < sampleSize { samples += rest.prefix(sampleSize - samples.count) }
        let form = form(of: reader.header)
        return rest.map { line($0, reader, form) }
    }

    private func line(
        _ record: CSVParser.Record, _ reader: DeviceRecordReader, _ form: RegistrationBody.Form
    ) -> DeviceLine {
        if let fault = record.fault {
            return DeviceLine(number: record.line, content: .refused(Problems([fault.problem()])))
        }
        let content: DeviceLine.Content =
            switch reader.line(record) {
            case .object(let bytes, let changes): body(bytes, form, changes)
            case .refused(let problems): .refused(problems)
            case .leftOut: .leftOut
            }
        return DeviceLine(number: record.line, content: content)
    }

    private func line(_ line: LineParser.Line) -> DeviceLine {
        guard let bytes = line.bytes else {
            let message = "is longer than \(LineParser.maximumLineSize) bytes"
            return DeviceLine(
                number: line.number,
                content: .refused(Problems([Problem(path: "", code: "too-long", message: message)])))
        }
        return DeviceLine(number: line.number, content: body(bytes, form(of: nil)))
    }

    private func body(
        _ bytes: [UInt8], _ form: RegistrationBody.Form, _ changes: [Problem] = []
    ) -> DeviceLine.Content {
        do throws(ByteReader.Malformed) {
            var (body, problems) = try RegistrationBody.read(bytes, as: form)
            var changes = changes
            if !problems.isEmpty, let mended = SideFacts.mend(bytes, problems) {
                (body, problems) = try RegistrationBody.read(mended.line, as: form)
                changes += mended.changes
            }
            guard problems.isEmpty else { return .refused(Problems(problems)) }
            body.warnings = changes + body.warnings
            return .device(body)
        } catch {
            let isText = String(validating: bytes, as: UTF8.self) != nil
            let problem =
                isText
                ? Problem(path: "", code: "invalid-json", message: "is not JSON: \(error.message)") : Self.notUTF8
            return .refused(Problems([problem]))
        }
    }

    private static let notUTF8 = Problem(
        path: "", code: "not-utf8",
        message: "is not valid UTF-8. Save the file as UTF-8 (in Excel: CSV UTF-8). Only a file in a Western European "
            + "language can be imported as it is, with encoding=windows-1252")

    /// `attributes` are all attributes of the device, as an export writes them; columns of single attributes change
    /// only those.
    private func form(of header: DeviceHeader?) -> RegistrationBody.Form {
        RegistrationBody.Form(
            need: .environmentOfToken, namesInstallation: true, isTrusted: true,
            mergesAttributes: header?.hasSingleAttributes ?? false, ignored: DeviceColumn.ignoredNames,
            times: DeviceColumn.timeNames, isFile: true,
            environment: options.environment ?? (header?.vendor == nil ? nil : .production))
    }
}
