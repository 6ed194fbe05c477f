import Campaigns
import HTTPServer
import JSON

/// What a person says about a file that the file itself does not.
struct DeviceFileOptions: Sendable {
    /// Nil: detected.
    var encoding: TextEncoding?
    /// What the columns of a CSV file are, in place of its header; an empty name leaves a column out.
    var columns: [String]?
    /// The environment of the tokens whose line names none.
    var environment: PushEnvironment?

    static let parameters = ["encoding", "columns", "environment"]
}

extension DeviceFileOptions {
    init(_ request: Request) throws(APIError) {
        encoding = try Self.named(request, "encoding", TextEncoding.allCases, \.rawValue)
        environment = try Self.named(request, "environment", PushEnvironment.allCases, \.name)
        guard let line = request.queryItems["columns"] else { return }
        columns = CSVParser.fields(of: line)
        if columns == nil {
            throw .badRequest(
                "invalid-columns",
                "The parameter columns must be the header line that replaces the file's, like token,,attr.plan.",
                field: "columns")
        }
    }

    private static func named<Choice>(
        _ request: Request, _ name: String, _ choices: [Choice], _ text: (Choice) -> String
    ) throws(APIError) -> Choice? {
        guard let given = request.queryItems[name] else { return nil }
        if let choice = choices.first(where: { text($0) == given.lowercased() }) { return choice }
        throw .badRequest(
            "invalid-\(name)", "The parameter \(name) must be one of \(choices.map(text).joined(separator: ", ")).",
            field: name)
    }
}

extension CSVParser {
    /// The fields of a text that is one line of comma-separated values; nil if it is not.
    static func fields(of text: String) -> [String]? {
        var parser = CSVParser()
        var records: [Record] = []
        parser.feed(text.utf8, into: &records)
        parser.finish(into: &records)
        guard records.count == 1, records[0].fault == nil else { return nil }
        return records[0].fields.map { String(decoding: $0, as: UTF8.self) }
    }
}
