import Campaigns
import Crypto
import HTTPServer
import JSON
import Notifications

/// The requested part of a list: how many entries, and after which one.
struct Page<Cursor: Sendable>: Sendable {
    let limit: Int
    let cursor: Cursor?
    /// Identifies the list with its filters.
    let list: ListMark
}

/// Identifies a list, with its filters and its order, in the cursors that it returns: at another list, or with other
/// filters, they would skip entries without a word.
struct ListMark: Sendable {
    private static let length = 12

    let text: String

    init(_ request: Request) {
        let filters = request.queryItems.items.filter { !Paging.parameters.contains($0.name) }
            .map { "\($0.name)=\($0.value)" }.sorted()
        text = String(SHA256.hex(Array(([request.path] + filters).joined(separator: "\n").utf8)).prefix(Self.length))
    }

    /// Nil if another list returned the cursor.
    func position(in cursor: String) -> String? {
        cursor.hasPrefix(text + " ") ? String(cursor.dropFirst(text.count + 1)) : nil
    }

    func cursor(at position: String) -> String { "\(text) \(position)" }
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
                throw .invalidLimit(limits)
            }
            limit = number
        }
        let list = ListMark(request)
        var cursor: Cursor?
        if let text = request.queryItems["cursor"] {
            guard let read = decode(text).flatMap(list.position).flatMap(read) else {
                throw .invalidCursor
            }
            cursor = read
        }
        return Page(limit: limit, cursor: cursor, list: list)
    }

    /// A page of a list that is sorted by id, newest first. If the last page is full, one empty page follows.
    static func response<Record, Cursor, Of>(
        _ records: [Record], _ page: Page<Cursor>, id: (Record) -> Identifier<Of>, json: (Record) -> JSON
    ) -> Response {
        let next = records.count == page.limit ? records.last.map { id($0).description } : nil
        return response(records.map(json), page, next: next)
    }

    /// `next` is the position of the last entry, if there may be further ones.
    static func response<Cursor>(_ data: [JSON], _ page: Page<Cursor>, next: String?) -> Response {
        let cursor = next.map { Base64URL.encode(page.list.cursor(at: $0).utf8) }
        return .json(["data": .array(data), "next_cursor": cursor.map(JSON.string) ?? .null])
    }

    private static func decode(_ cursor: String) -> String? {
        guard let bytes = try? Base64URL.decode(cursor) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
