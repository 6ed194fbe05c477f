import Campaigns
import Crypto
import HTTPServer
import JSON
import Notifications

/// The requested part of a list: how many entries, and after which one.
struct Page<Cursor: Sendable>: Sendable {
    let limit: Int
    let cursor: Cursor?
}

/// Reads paging parameters and writes pages of lists.
enum Paging {
    static let limits = 1...200
    static let defaultLimit = 50

    /// The query parameters of every list.
    static let parameters = ["limit", "cursor"]

    static func page<Of>(_ request: Request) throws(APIError) -> Page<Identifier<Of>> {
        try page(request) { Identifier<Of>($0) }
    }

    static func page<Cursor>(
        _ request: Request, _ read: (String) -> Cursor?
    ) throws(APIError) -> Page<Cursor> {
        var limit = defaultLimit
        if let text = request.queryItems["limit"] {
            guard let number = Int(text), limits ~= number else {
                throw .badRequest(
                    "invalid-limit",
                    "The limit must be a whole number from \(limits.lowerBound) to \(limits.upperBound).",
                    field: "limit")
            }
            limit = number
        }
        var cursor: Cursor?
        if let text = request.queryItems["cursor"] {
            guard let read = decode(text).flatMap(read) else {
                throw .badRequest(
                    "invalid-cursor", "The cursor must be a next_cursor that this list returned.", field: "cursor")
            }
            cursor = read
        }
        return Page(limit: limit, cursor: cursor)
    }

    /// A page of a list that is sorted by id, newest first. If the last page is full, one empty page follows.
    static func response<Record, Of>(
        _ records: [Record], limit: Int, id: (Record) -> Identifier<Of>, json: (Record) -> JSON
    ) -> Response {
        let next = records.count == limit ? records.last.map { id($0).description } : nil
        return response(records.map(json), next: next)
    }

    static func response(_ data: [JSON], next: String?) -> Response {
        .json(["data": .array(data), "next_cursor": next.map { .string(Base64URL.encode($0.utf8)) } ?? .null])
    }

    private static func decode(_ cursor: String) -> String? {
        guard let bytes = try? Base64URL.decode(cursor) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
