import HTTPServer

/// The format of a file of rows.
enum FileFormat: String, CaseIterable, Sendable {
    /// RFC 4180, with a header.
    case csv
    /// One JSON object per line.
    case ndjson

    var contentType: String {
        switch self {
        case .csv: "text/csv"
        case .ndjson: "application/x-ndjson"
        }
    }
}

extension Request {
    /// The requested format of an export; CSV if the parameter is absent.
    var fileFormat: FileFormat {
        get throws(APIError) {
            guard let name = queryItems["format"] else { return .csv }
            if let format = FileFormat(rawValue: name) { return format }
            throw .unknownFormat
        }
    }
}
