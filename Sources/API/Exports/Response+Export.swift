import EventLoop
import HTTPServer
import HTTPTypes

/// The caller's key or session ended while a file was sent. The file is cut.
private struct ExportNotPermitted: Error {}

/// The time between two checks of whether the caller of an export is still permitted.
private let checkInterval = Duration.seconds(10)

extension Response {
    /// A file of rows to download, which is streamed. Rows are read page by page, so at most one page is in memory.
    /// `name` is without its ending. `rows` is about how many there will be, for a display of progress. `read` returns
    /// the rows after a cursor, and the next cursor; nil at the end.
    static func export<Cursor: Sendable>(
        _ name: String, _ writer: TableWriter, to call: AppCall, rows: Int? = nil,
        _ read: @escaping @Sendable (Cursor?) async throws -> (rows: [[TableValue]], next: Cursor?)
    ) -> Response {
        let format = writer.format
        var headers: HTTPFields = [
            .contentType: format == .csv ? "text/csv; charset=utf-8; header=present" : format.contentType,
            .cacheControl: "no-store",
        ]
        headers[.contentDisposition] = "attachment; filename=\"\(name).\(format.rawValue)\""
        if let rows, let field = HTTPField.Name("Belfry-Rows") { headers[field] = rows.description }
        return Response(
            headers: headers,
            body: .stream { output in
                try await output.write(writer.header)
                var cursor: Cursor?
                var nextCheck = MonotonicTime.now() + checkInterval
                repeat {
                    if .now() >= nextCheck {
                        guard try await call.call.isStillPermitted() else { throw ExportNotPermitted() }
                        nextCheck = .now() + checkInterval
                    }
                    let page = try await read(cursor)
                    cursor = page.next
                    // Writing thousands of lines would block all other work on the loop.
                    let bytes = await withTaskExecutorPreference(globalConcurrentExecutor) {
                        await write(page.rows, writer)
                    }
                    try await output.write(bytes)
                } while cursor != nil
            })
    }

    @concurrent
    private static func write(_ rows: [[TableValue]], _ writer: TableWriter) async -> [UInt8] { writer.write(rows) }
}
