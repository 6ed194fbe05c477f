import Campaigns
import HTTPServer
import HTTPTypes
import JSON

/// A person's statements about a file, for what the file itself does not say.
struct DeviceFileOptions: Sendable {
    /// Nil: detected.
    var encoding: TextEncoding?
    /// Names for the columns of a CSV file, in place of its header; an empty name leaves a column out. Of a JSON file,
    /// pairs like push_token=token.
    var columns: [String]?
    /// The environment of the tokens whose line names none.
    var environment: PushEnvironment?

    static let parameters = ["encoding", "columns", "environment"]
}

extension DeviceFileOptions {
    init(_ request: Request) throws(APIError) {
        if let name = request.queryItems["encoding"], let known = TextEncoding(named: name) {
            encoding = known
        } else {
            encoding = try Self.named(request, "encoding", TextEncoding.allCases, \.rawValue)
            if encoding == nil { encoding = request.statedEncoding }
        }
        if let table = encoding?.table, !TableEncoding.isInstalled(table) {
            throw .encodingNotInstalled(encoding?.rawValue ?? "")
        }
        environment = try Self.named(request, "environment", PushEnvironment.allCases, \.name)
        guard let line = request.queryItems["columns"] else { return }
        columns = CSVParser.fields(of: line)
        if columns == nil {
            throw .invalidColumns
        }
    }

    private static func named<Choice>(
        _ request: Request, _ name: String, _ choices: [Choice], _ text: (Choice) -> String
    ) throws(APIError) -> Choice? {
        guard let given = request.queryItems[name] else { return nil }
        if let choice = choices.first(where: { text($0) == given.lowercased() }) { return choice }
        throw .notOneOf(choices.map(text).joined(separator: ", "), name)
    }
}

extension Request {
    /// The encoding in Content-Type. Many programs state UTF-8 for anything, so that one is detected.
    fileprivate var statedEncoding: TextEncoding? {
        let parameters = (headers.value(.contentType) ?? "").split(separator: ";").dropFirst()
        for parameter in parameters {
            let parts = parameter.split(separator: "=").map { FileText.trim(String($0)).lowercased() }
            guard parts.count == 2, parts[0] == "charset" else { continue }
            let encoding = TextEncoding(named: parts[1])
            return encoding == .utf8 ? nil : encoding
        }
        return nil
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
