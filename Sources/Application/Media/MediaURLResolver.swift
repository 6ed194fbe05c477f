public import Campaigns
import JSON
import Notifications
public import Store

/// Finds the media that a content refers to.
public protocol MediaFinder: Sendable {
    func find(_ reference: MediaReference, app: App.ID) async throws -> MediaLookupResult
}

/// Resolves an app's own media to the URLs at which devices fetch it. External URLs are not fetched.
public struct MediaURLResolver: MediaFinder {
    private let media: MediaStore
    private let publicURL: String

    /// `publicURL` is the URL at which devices reach Belfry: scheme, host and port.
    public init(media: MediaStore, publicURL: String) {
        self.media = media
        self.publicURL = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
    }

    public func find(_ reference: MediaReference, app: App.ID) async throws -> MediaLookupResult {
        switch reference {
        case .stored(let text):
            guard let id = Media.ID(text) else { return .absent }
            do {
                let found = try await media.find(id, app: app)
                return .found(url: url(of: found), type: found.type?.kind.rawValue)
            } catch Refusal.notFound(.media) {
                return .absent
            }
        case .external(let text):
            do throws(InvalidValue) {
                return .found(url: try MediaURL(text).text, type: nil)
            } catch {
                return .refused(error.message)
            }
        }
    }

    public func url(of media: MediaRecord) -> String {
        media.externalURL ?? "\(publicURL)/media/\(media.capability.text)/\(media.fileName)"
    }
}
