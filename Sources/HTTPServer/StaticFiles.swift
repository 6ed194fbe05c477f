import EventLoop
import Glibc
import HTTPTypes

/// Serves the files below one directory for GET and HEAD, with ETag, ranges and gzip. Files outside the directory
/// can't be reached by dots, symbolic links or encoded characters. Hidden files are not served.
public struct StaticFiles: Sendable {
    /// The sizes of text files that are compressed. Other files are sent uncompressed.
    static let compressibleBytes = 1_024...(4 * 1024 * 1024)
    /// The default size of the cache of compressed files, in bytes.
    public static let defaultCacheBytes = 16 * 1024 * 1024

    public struct NoSuchDirectory: Error {
        public let path: String
    }

    private let root: String
    private let cacheControl: String
    private let cache: Lock<CompressedCache>

    /// `cacheControl` is sent with every file. With the default, browsers revalidate each time and receive a 304.
    public init(
        root: String, cacheControl: String = "no-cache", cacheBytes: Int = StaticFiles.defaultCacheBytes
    ) throws(NoSuchDirectory) {
        guard let root = Self.resolve(root) else { throw NoSuchDirectory(path: root) }
        self.root = root
        self.cacheControl = cacheControl
        cache = Lock(CompressedCache(maximumBytes: cacheBytes))
    }

    /// Responds with a file. Throws `HTTPError` (404) if there is no such file. A path that ends with a slash means the
    /// index.html in it.
    public func respond(to request: Request) async throws -> Response {
        try await respond(to: request, path: request.path)
    }

    /// Does the same for a path other than the request's, such as one below a mount point.
    public func respond(to request: Request, path: String) async throws -> Response {
        guard let location = locate(path), let file = try OpenFile(path: location) else { throw HTTPError.notFound }
        let type = ContentType.of(location)
        let modified = HTTPDate.text(file.modified.tv_sec)
        let headers = request.headers
        var tag = Self.tag(of: file, suffix: "")
        var response = Response(headers: [
            .contentType: type.text, .cacheControl: cacheControl, .lastModified: modified, .acceptRanges: "bytes",
        ])
        if type.isText { response.headers[.vary] = "Accept-Encoding" }
        let usesGzip =
            type.isText && Self.compressibleBytes.contains(file.size) && headers[.range] == nil
            && AcceptEncoding.allowsGzip(headers[.acceptEncoding] ?? "")
        if usesGzip { tag = Self.tag(of: file, suffix: "-gzip") }
        response.headers[.eTag] = tag

        if Precondition.isUnchanged(headers, tag: tag, modified: modified) {
            response.status = .notModified
            return response
        }
        if usesGzip {
            response.headers[.contentEncoding] = "gzip"
            response.body = .bytes(try await compressed(file, at: location, tag: tag))
            return response
        }
        return try response.part(of: file.size, for: request, modified: modified) { .file(file, $0) }
    }

    // MARK: Where a file is

    /// Returns the file's real path if it is below the root.
    private func locate(_ path: String) -> String? {
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if segments.last == "" { segments[segments.endIndex - 1] = "index.html" }
        // Names that begin with a dot are hidden files, "." and "..". A NUL would end the path early.
        guard !segments.isEmpty, segments.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }),
            !path.utf8.contains(0)
        else { return nil }
        guard let real = Self.resolve(root + "/" + segments.joined(separator: "/")) else { return nil }
        return real.hasPrefix(root == "/" ? root : root + "/") ? real : nil
    }

    /// Resolves all symbolic links. Returns nil if there is no such file.
    private static func resolve(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func tag(of file: OpenFile, suffix: String) -> String {
        let seconds = String(file.modified.tv_sec, radix: 16)
        return "\"\(String(file.size, radix: 16))-\(seconds)-\(String(file.modified.tv_nsec, radix: 16))\(suffix)\""
    }

    // MARK: Compression

    private func compressed(_ file: OpenFile, at location: String, tag: String) async throws -> [UInt8] {
        if let known = cache.withLock({ $0.find(location, tag: tag) }) { return known }
        // Compressing a large file takes milliseconds and would delay the loop's other connections.
        let bytes = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await Self.compress(file)
        }
        cache.withLock { $0.add(location, tag: tag, bytes) }
        return bytes
    }

    @concurrent
    private static func compress(_ file: OpenFile) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        var range = 0..<file.size
        while !range.isEmpty { bytes += try file.read(&range) }
        return try Gzip.compress(bytes)
    }
}
