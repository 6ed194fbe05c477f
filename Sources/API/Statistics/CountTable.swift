import HTTPServer
import JSON
import Store

/// Counts as rows of a file, for spreadsheets.
struct CountTable {
    /// The name of the first column.
    let key: String
    let rows: [(key: String, counts: CountStore.Counts)]

    private static let measures = Measure.outcomes + Measure.events

    /// The file if the request asks for one, or else `json`.
    func response(to request: Request, named name: String, _ json: () -> JSON) throws(APIError) -> Response {
        let columns = [key, "targeted"] + Self.measures.map(\.name) + ["conversion_value"]
        let values: [[TableValue]] = rows.map { row in
            [.text(row.key), .number(row.counts.targeted)] + Self.measures.map { .number(row.counts[$0]) }
                + [.text(row.counts.conversionValue)]
        }
        return try .statistics(to: request, named: name, columns: columns, rows: values, json)
    }
}

/// The format of an answer with statistics.
private enum StatisticsFormat: String, CaseIterable {
    case json, csv, ndjson
}

extension Response {
    /// Rows as a file if the request asks for one, or else `json`.
    static func statistics(
        to request: Request, named name: String, columns: [String], rows: [[TableValue]], _ json: () -> JSON
    ) throws(APIError) -> Response {
        let format = try request.choice("format", otherwise: StatisticsFormat.json)
        guard let file = FileFormat(rawValue: format.rawValue) else { return .json(json()) }
        return .export(name, TableWriter(file, columns: columns)) { (_: Int?) in (rows, nil) }
    }
}
