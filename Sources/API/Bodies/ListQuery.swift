import HTTPServer
import JSON
import Notifications
import Postgres
import Store

/// The query parameters of lists of named things.
enum ListQuery {
    static let parameters = Paging.parameters + ["archived", "search", "since", "until", "sort"]

    static func filter(_ request: Request) throws(APIError) -> ListFilter {
        var filter = ListFilter()
        filter.isArchived = try request.flag("archived") ?? false
        filter.search = try request.search
        filter.since = try request.time("since")
        filter.until = try request.time("until")
        filter.order = try request.choice("sort", otherwise: .newest)
        return filter
    }

    static func page(_ request: Request) throws(APIError) -> Page<ListPosition> {
        try Paging.page(request, ListPosition.init(cursor:))
    }

    /// If the last page is full, one empty page follows.
    static func response<Record>(
        _ records: [Record], _ page: Page<ListPosition>, position: (Record) -> ListPosition,
        json: (Record) throws -> JSON
    ) rethrows -> Response {
        let last = records.count == page.limit ? records.last : nil
        return Paging.response(try records.map(json), page, next: last.map { position($0).cursor })
    }
}

extension ListPosition {
    var cursor: String { "\(id) \(key)" }

    fileprivate init?(cursor: String) {
        let parts = cursor.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let id = Int64(parts[0]), id >= 0, !cursor.utf8.contains(0) else { return nil }
        self.init(id: id, key: String(parts[1]))
    }
}

extension Request {
    /// Characters of a search text.
    private static let maximumSearchLength = 200

    /// The text to search for; nil if the parameter is absent.
    var search: String? { get throws(APIError) { try typedSearch?.composed } }

    /// The same as it was typed: user IDs are stored byte by byte.
    var typedSearch: String? {
        get throws(APIError) {
            guard let search = queryItems["search"] else { return nil }
            guard search.unicodeScalars.count <= Self.maximumSearchLength, !search.utf8.contains(0) else {
                throw .invalidSearch(maximumLength: Self.maximumSearchLength)
            }
            return search
        }
    }

    /// A time; nil if the parameter is absent.
    /// A moment, or a date: the beginning of that day by the clock.
    func time(_ name: String, in clock: ZoneClock = ZoneClock(fixed: 0)) throws(APIError) -> Timestamp? {
        guard let text = queryItems[name] else { return nil }
        if let time = Timestamp(rfc3339: text) { return time }
        if text.utf8.count == Self.dateSize, let midnight = Timestamp(rfc3339: text + "T00:00:00Z") {
            let day = CivilDay(number: Int(midnight.microseconds / 86_400_000_000))
            return Timestamp(microseconds: Int64(clock.start(of: day)) * 1_000_000)
        }
        throw .invalidTime(name)
    }

    /// Bytes of 2026-11-21.
    private static let dateSize = 10
}
