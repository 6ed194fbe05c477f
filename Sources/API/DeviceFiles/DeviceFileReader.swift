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
/// CSV: bytes > UTF-8 text (`TextDecoder`) > separator (`CSVDialect`) > records (`CSVParser`) > columns (`DeviceHeader`)
/// > JSON objects (`DeviceRecordReader`) > devices (`RegistrationBody`)
///
/// JSON: text > objects (`ObjectSplitter`) > members (`DeviceHeader`) > registrations (`DeviceObjectReader`) > devices
struct DeviceFileReader: Sendable {
    private enum Parser: Sendable {
        /// The beginning of the file, until the format and the separator are known.
        case head([UInt8])
        /// The record reader is nil until the header is complete.
        case csv(CSVParser, DeviceRecordReader?)
        /// The first objects are held until their members tell whose export the file is.
        case json(ObjectSplitter, held: [ObjectSplitter.Record], DeviceObjectReader?)
    }

    /// The objects whose members tell whose export a file is: exports omit members without a value.
    static let headObjects = 100

    private let options: DeviceFileOptions
    /// What the client says, which only counts for an empty file: programs give files any name.
    private let stated: FileFormat
    private var decoder: TextDecoder
    private var parser: Parser
    private var isChecked = false
    private(set) var dialect: CSVDialect?
    private(set) var header: DeviceHeader?
    /// Nil until the beginning has been read.
    private(set) var format: FileFormat?
    /// Records after the header, at most `sampleSize`.
    private(set) var samples: [CSVParser.Record] = []
    /// The same of a JSON file.
    private(set) var objectSamples: [[UInt8]] = []
    /// For a preview: the reader keeps some records, and does not throw for a header with problems.
    private let sampleSize: Int

    init(_ format: FileFormat, _ options: DeviceFileOptions = DeviceFileOptions(), sampleSize: Int = 0) {
        self.options = options
        self.sampleSize = sampleSize
        stated = format
        decoder = TextDecoder(options.encoding)
        parser = .head([])
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
        if case .csv(_, nil) = parser, stated == .csv, sampleSize == 0 { throw .noHeader }
        return lines
    }

    /// Ends the beginning of a file: returns the lines that were held back. The last one may be incomplete.
    mutating func finishPart() throws(APIError) -> [DeviceLine] {
        guard case .json(_, let held, nil) = parser else { return [] }
        return try read(held, objectReader(held), ObjectSplitter())
    }

    private mutating func read(_ text: [UInt8], isWhole: Bool) throws(APIError) -> [DeviceLine] {
        if !isChecked, !text.isEmpty {
            isChecked = true
            if let refusal = UnreadableFile.refusal(of: text) { throw refusal }
        }
        // Gives up the stored copy, so that appending does not copy the bytes.
        let current = parser
        parser = .head([])
        switch current {
        case .head(let before): return try readHead(before + text, isWhole: isWhole)
        case .csv(let csvParser, let reader): return try readCSV(text[...], isWhole: isWhole, csvParser, reader)
        case .json(let splitter, let held, let reader):
            return try readJSON(text[...], isWhole: isWhole, splitter, held, reader)
        }
    }

    private mutating func readHead(_ head: [UInt8], isWhole: Bool) throws(APIError) -> [DeviceLine] {
        if let first = head.first(where: { !Self.isBlank($0) }), Self.beginnings.contains(first) {
            format = .ndjson
            return try readJSON(head[...], isWhole: isWhole, ObjectSplitter(), [], nil)
        }
        guard let dialect = CSVDialect(head, isWhole: isWhole) else {
            parser = .head(head)
            return []
        }
        format = .csv
        self.dialect = dialect
        let csvParser = CSVParser(separator: dialect.separator, line: dialect.linesBefore + 1)
        return try readCSV(head.dropFirst(dialect.bytesBefore), isWhole: isWhole, csvParser, nil)
    }

    /// The first bytes of JSON objects and lists, and of RFC 7464. No name of a column begins so.
    private static let beginnings: Set<UInt8> = [UInt8(ascii: "{"), UInt8(ascii: "["), 0x1E]

    private static func isBlank(_ byte: UInt8) -> Bool {
        ObjectSplitter.isBlank(byte) || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    private mutating func readJSON(
        _ text: ArraySlice<UInt8>, isWhole: Bool, _ splitter: consuming ObjectSplitter,
        _ held: [ObjectSplitter.Record], _ known: DeviceObjectReader?
    ) throws(APIError) -> [DeviceLine] {
        var records = held
        splitter.feed(text, into: &records)
        if isWhole { splitter.finish(into: &records) }
        guard let reader = known ?? (isWhole || records.count >= Self.headObjects ? objectReader(records) : nil) else {
            parser = .json(splitter, held: records, nil)
            return []
        }
        return try read(records, reader, splitter)
    }

    private mutating func read(
        _ records: [ObjectSplitter.Record], _ known: DeviceObjectReader, _ splitter: ObjectSplitter
    ) throws(APIError) -> [DeviceLine] {
        var reader = known
        if sampleSize == 0, !reader.header.problems.isEmpty { throw APIError(problems: reader.header.problems) }
        let lines = records.map { line($0, &reader) }
        header = reader.header
        if objectSamples.count < sampleSize {
            objectSamples += records.compactMap(\.bytes).prefix(sampleSize - objectSamples.count)
        }
        parser = .json(splitter, held: [], reader)
        return lines
    }

    private func objectReader(_ records: [ObjectSplitter.Record]) -> DeviceObjectReader {
        var members: [String] = []
        var seen: Set<String> = []
        for record in records.prefix(Self.headObjects) {
            for name in record.bytes.flatMap(DeviceObjectReader.names) ?? [] where seen.insert(name).inserted {
                members.append(name)
            }
        }
        return DeviceObjectReader(header: DeviceHeader(members: members, options))
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
        let form = form(of: reader.header, mergesAttributes: reader.header.hasSingleAttributes)
        return rest.map { line($0, reader, form) }
    }

    private func line(
        _ record: CSVParser.Record, _ reader: DeviceRecordReader, _ form: RegistrationBody.Form
    ) -> DeviceLine {
        if let fault = record.fault {
            return DeviceLine(number: record.line, content: .refused(Problems([fault.problem()])))
        }
        return DeviceLine(number: record.line, content: content(reader.line(record), form))
    }

    private func line(_ record: ObjectSplitter.Record, _ reader: inout DeviceObjectReader) -> DeviceLine {
        guard let bytes = record.bytes else {
            let message: Message =
                "is longer than \(ObjectSplitter.maximumSize) bytes; write each device as an object of its own, with no "
                + "other object around them"
            let problem = Problem(path: "", code: "too-long", message: message)
            return DeviceLine(number: record.line, content: .refused(Problems([problem])))
        }
        guard let (line, mergesAttributes) = reader.line(bytes) else {
            let content = body(bytes, form(of: reader.header, mergesAttributes: false), lastLine: record.lastLine)
            return DeviceLine(number: record.line, content: content)
        }
        let form = form(of: reader.header, mergesAttributes: mergesAttributes)
        return DeviceLine(number: record.line, content: content(line, form))
    }

    private func content(_ line: DeviceLineWriter.Line, _ form: RegistrationBody.Form) -> DeviceLine.Content {
        switch line {
        case .object(let bytes, let changes): body(bytes, form, changes)
        case .refused(let problems): .refused(problems)
        case .leftOut: .leftOut
        }
    }

    private func body(
        _ bytes: [UInt8], _ form: RegistrationBody.Form, _ changes: [Problem] = [], lastLine: Int? = nil
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
            guard String(validating: bytes, as: UTF8.self) != nil else { return .refused(Problems([invalidText])) }
            let isOneLine = !bytes.contains(UInt8(ascii: "\n"))
            let message: Message =
                isOneLine
                ? "is not JSON: \(error.message)"
                : "begins an object, up to line \(lastLine ?? 0), that is not JSON: \(error.message)"
            return .refused(Problems([Problem(path: "", code: "invalid-json", message: message)]))
        }
    }

    private var invalidText: Problem {
        let message: Message =
            switch encoding {
            case .utf8:
                "is not valid UTF-8. Save the file as UTF-8 (in Excel: CSV UTF-8; in Numbers: Unicode (UTF-8)), or name its "
                    + "encoding, such as encoding=gb18030, shift_jis or windows-1252"
            default: "has bytes that are no text in \(encoding.rawValue). Is the file in another encoding?"
            }
        return Problem(path: "", code: "not-utf8", message: message)
    }

    /// `attributes` are all attributes of the device, as an export writes them; columns of single attributes change
    /// only those.
    private func form(of header: DeviceHeader, mergesAttributes: Bool) -> RegistrationBody.Form {
        RegistrationBody.Form(
            need: .environmentOfToken, namesInstallation: true, isTrusted: true,
            mergesAttributes: mergesAttributes, ignored: DeviceColumn.ignoredNames,
            times: DeviceColumn.timeNames, isFile: true,
            environment: options.environment ?? (header.vendor == nil ? nil : .production))
    }
}
