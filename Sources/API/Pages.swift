public import HTTPServer
import HTTPTypes

/// The admin pages: static files, and one document for every address that the pages' own router knows.
public struct Pages: Sendable {
    /// The beginnings of these addresses. Any other address is a file, or nothing.
    static let addresses = ["/a/", "/setup/", "/sign-in", "/setup", "/styles", "/glossary", "/account"]

    private let files: StaticFiles

    public init(folder: String) throws {
        files = try StaticFiles(root: folder)
    }

    public func respond(to request: Request) async throws -> Response {
        var response = try await files.respond(to: request, path: Self.file(request.path))
        SecurityHeaders.add(to: &response)
        return response
    }

    static func file(_ path: String) -> String {
        let isPage = addresses.contains { $0.hasSuffix("/") ? path.hasPrefix($0) : path == $0 }
        return isPage ? "/" : path
    }
}
