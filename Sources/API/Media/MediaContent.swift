import Application
import Campaigns
import Crypto
import EventLoop
import HTTPServer
import HTTPTypes
import Notifications
import Store

/// Serves the content of media to everyone who knows the address. It never changes, so clients can cache it forever.
///
/// The content type is that of the format that was detected in the file, one of `MediaType`: never HTML or SVG, which
/// could run scripts in the origin of the pages.
struct MediaContent {
    let library: MediaLibrary

    private var media: MediaStore { library.store }

    /// A year, in seconds: RFC 9111 has no maximum, but older caches store nothing for longer.
    private static let cacheControl = "public, max-age=31536000, immutable"
    /// The number of bytes of the hash that the ETag uses.
    private static let tagLength = 16

    func response(to request: Request) async throws -> Response {
        guard let capability = request.parameters["capability"].flatMap(MediaCapability.init),
            let found = try await media.find(capability), let type = found.type, let size = found.size,
            let hash = found.hash,
            // Other names are a 404, so that caches store a content under one address only.
            request.parameters["name"] == found.fileName
        else { throw Refusal.notFound(.media) }
        let tag = "\"\(Hex.encode(hash.prefix(Self.tagLength)))\""
        var response = Response(headers: [
            .contentType: type.mimeType, .cacheControl: Self.cacheControl, .eTag: tag,
            .contentSecurityPolicy: SecurityHeaders.mediaPolicy,
        ])
        if Precondition.isUnchanged(request.headers, tag: tag) {
            response.status = .notModified
            return response
        }
        guard found.storage == .directory else {
            return try response.part(of: size, for: request) { range in
                .sizedStream(range.count) { [media] writer in
                    try await media.read(found, range) { try await writer.write($0) }
                }
            }
        }
        // The file is missing if the processes don't share their directory.
        guard let path = library.path(of: found), let file = try OpenFile(path: path), file.size == size else {
            throw Refusal.notFound(.media)
        }
        return try response.part(of: size, for: request) { .file(file, $0) }
    }
}
