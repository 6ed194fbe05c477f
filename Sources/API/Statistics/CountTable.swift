import Campaigns
import HTTPServer
import JSON
import Store

/// Counts as rows of a file, for spreadsheets.
struct CountTable {
    /// The name of the first column.
    let key: String
    /// The names of the keys, for the second column; nil: it has none.
    var names: [String: String]?
    let rows: [(key: String, counts: StatisticsStore.Counts)]

    /// The file if the request asks for one, or else `json`.
    func response(to call: AppCall, named name: String, _ json: () -> JSON) throws(APIError) -> Response {
        let columns =
            [key] + (names == nil ? [] : ["\(key)_name"]) + ["targeted"] + Measure.ofPushes.map(\.name) + [
                "conversion_value"
            ]
        let values: [[TableValue]] = rows.map { row in
            [.text(row.key)] + (names.map { [TableValue($0[row.key])] } ?? []) + [.number(row.counts.targeted)]
                + Measure.ofPushes.map { .number(row.counts[$0]) }
                + [.decimal(row.counts.conversionValue)]
        }
        return try .statistics(to: call, named: name, columns: columns, rows: values, json)
    }
}

/// The format of an answer with statistics.
private enum StatisticsFormat: String, CaseIterable {
    case json, csv, ndjson

    init(_ request: Request) throws(APIError) {
        self = try request.choice("format", otherwise: .json)
    }
}

extension Request {
    /// True if it asks for statistics as a file.
    var isForFile: Bool { get throws(APIError) { try StatisticsFormat(self) != .json } }
}

extension Response {
    /// Rows as a file if the request asks for one, or else `json`.
    static func statistics(
        to call: AppCall, named name: String, columns: [String], rows: [[TableValue]], _ json: () -> JSON
    ) throws(APIError) -> Response {
        let format = try StatisticsFormat(call.request)
        guard let file = FileFormat(rawValue: format.rawValue) else { return .json(json()) }
        return .export(name, TableWriter(file, columns: columns), to: call) { (_: Int?) in (rows, nil) }
    }
}
