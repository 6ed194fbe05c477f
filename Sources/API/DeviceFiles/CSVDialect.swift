/// How a CSV file separates its fields, found in its first lines.
struct CSVDialect: Equatable, Sendable {
    /// Excel writes semicolons where the comma is the decimal sign. Tabs come from copied sheets and databases.
    static let separators: [UInt8] = [",", ";", "\t", "|"].map { UInt8(ascii: $0) }
    /// The longest beginning of a file that is searched for its first line end, in bytes.
    static let maximumHead = CSVParser.maximumRecordSize

    var separator = UInt8(ascii: ",")
    /// The lines before the header that are not records: blank ones, and `sep=;`.
    var linesBefore = 0
    /// The bytes of these lines.
    var bytesBefore = 0

    /// Nil while the first line with text may still go on. `isWhole` says that the file ends there.
    init?(_ head: [UInt8], isWhole: Bool) {
        let isWhole = isWhole || head.count >= Self.maximumHead
        var rest = head.prefix(Self.maximumHead)
        var stated: UInt8?
        while let line = Self.nextLine(&rest, isWhole: isWhole) {
            if stated == nil, let separator = Self.separator(stated: line) {
                stated = separator
            } else if !line.allSatisfy({ $0 == 0x20 }) {
                separator = stated ?? Self.separator(of: line)
                return
            }
            linesBefore += 1
            bytesBefore = rest.startIndex
        }
        guard isWhole else { return nil }
        separator = stated ?? separator
    }

    /// Removes a line with its end, which is not looked for in quotes. Nil if its end is not there yet.
    private static func nextLine(_ rest: inout ArraySlice<UInt8>, isWhole: Bool) -> ArraySlice<UInt8>? {
        var isQuoted = false
        for index in rest.indices {
            let byte = rest[index]
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard !isQuoted, byte == 0x0A || byte == 0x0D else { continue }
            let line = rest[..<index]
            var next = index + 1
            if byte == 0x0D {
                // The next piece may begin with the line feed of this line end.
                guard next < rest.endIndex || isWhole else { return nil }
                if next < rest.endIndex, rest[next] == 0x0A { next += 1 }
            }
            rest = rest[next...]
            return line
        }
        guard isWhole, !rest.isEmpty else { return nil }
        defer { rest = rest[rest.endIndex...] }
        return rest
    }

    /// Excel's line `sep=;`, which some programs put in quotes.
    private static func separator(stated line: ArraySlice<UInt8>) -> UInt8? {
        let text = line.filter { $0 != UInt8(ascii: "\"") }
        guard text.count == 5, String(decoding: text.prefix(4), as: UTF8.self).lowercased() == "sep=",
            let last = text.last, separators.contains(last)
        else { return nil }
        return last
    }

    /// The separator that finds the most known columns in the header; of those that find none, the most frequent.
    private static func separator(of header: ArraySlice<UInt8>) -> UInt8 {
        let scores = separators.map { separator in
            var parser = CSVParser(separator: separator)
            var records: [CSVParser.Record] = []
            parser.feed(header, into: &records)
            parser.finish(into: &records)
            let names = records.first?.fields.map { String(decoding: $0, as: UTF8.self) } ?? []
            let known = names.count { DeviceHeader.isKnown($0) }
            // Only their number is wrong with too many.
            let isTooWide = records.first?.fault == .tooManyFields
            let most = CSVParser.maximumFields + 1
            return (separator: separator, known: isTooWide ? most : known, count: isTooWide ? most : names.count)
        }
        return scores.max { ($0.known, $0.count) < ($1.known, $1.count) }?.separator ?? UInt8(ascii: ",")
    }
}
