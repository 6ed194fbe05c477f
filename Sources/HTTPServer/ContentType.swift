/// The media type of a file, by its extension.
struct ContentType {
    let text: String
    /// Whether the content is compressible text.
    let isText: Bool

    static func of(_ path: String) -> ContentType {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return binary }
        return known[name[name.index(after: dot)...].lowercased()] ?? binary
    }

    private static let binary = ContentType(text: "application/octet-stream", isText: false)

    private static let known: [String: ContentType] = [
        "html": ContentType(text: "text/html; charset=utf-8", isText: true),
        "css": ContentType(text: "text/css; charset=utf-8", isText: true),
        "js": ContentType(text: "text/javascript; charset=utf-8", isText: true),
        "mjs": ContentType(text: "text/javascript; charset=utf-8", isText: true),
        "json": ContentType(text: "application/json", isText: true),
        "map": ContentType(text: "application/json", isText: true),
        "webmanifest": ContentType(text: "application/manifest+json", isText: true),
        "svg": ContentType(text: "image/svg+xml", isText: true),
        "txt": ContentType(text: "text/plain; charset=utf-8", isText: true),
        "csv": ContentType(text: "text/csv; charset=utf-8", isText: true),
        "xml": ContentType(text: "application/xml", isText: true),
        "png": ContentType(text: "image/png", isText: false),
        "jpg": ContentType(text: "image/jpeg", isText: false),
        "jpeg": ContentType(text: "image/jpeg", isText: false),
        "gif": ContentType(text: "image/gif", isText: false),
        "webp": ContentType(text: "image/webp", isText: false),
        "ico": ContentType(text: "image/x-icon", isText: false),
        "woff2": ContentType(text: "font/woff2", isText: false),
        "mp3": ContentType(text: "audio/mpeg", isText: false),
        "mp4": ContentType(text: "video/mp4", isText: false),
        "pdf": ContentType(text: "application/pdf", isText: false),
        "wasm": ContentType(text: "application/wasm", isText: false),
    ]
}
