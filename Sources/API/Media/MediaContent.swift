import Application
import Campaigns
import Crypto
import EventLoop
import HTTPServer
import HTTPTypes
import Notifications
import Store

/// The content of media, for whoever knows the address. It never changes, so it is fetched once.
struct MediaContent {
    let library: MediaLibrary

    private var media: MediaStore { library.store }

    /// A year, in seconds: as long as caches keep anything (RFC 9111 leaves it open, older caches stop there).
    private static let cacheControl = "public, max-age=31536000, immutable"
    /// Bytes of the hash that make the ETag.
    private static let tagLength = 16

    func response(to request: Request) async throws -> Response {
        guard let capability = request.parameters["capability"].flatMap(MediaCapability.init),
            let found = try await media.find(capability), let type = found.type, let size = found.size,
            let hash = found.hash,
            // One address for one content, or caches would keep it under many.
            request.parameters["name"] == found.fileName
        else { throw Refusal.notFound(.media) }
        let tag = "\"\(Hex.encode(hash.prefix(Self.tagLength)))\""
        var response = Response(headers: [
            .contentType: type.mimeType, .cacheControl: Self.cacheControl, .eTag: tag,
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
        // Missing where processes do not share their directory.
        guard let path = library.path(of: found), let file = try OpenFile(path: path), file.size == size else {
            throw Refusal.notFound(.media)
        }
        return try response.part(of: size, for: request) { .file(file, $0) }
    }
}
