public import Campaigns
import JSON
import Notifications
public import Store

/// Looks for the media that a content names.
public protocol MediaFinder: Sendable {
    func find(_ reference: MediaReference, app: App.ID) async throws -> MediaFinding
}

/// Finds an app's own media under the addresses at which phones fetch it, and takes addresses elsewhere unseen.
public struct MediaAddresses: MediaFinder {
    private let media: MediaStore
    private let publicURL: String

    /// `publicURL` is how phones reach Belfry: scheme, host and port.
    public init(media: MediaStore, publicURL: String) {
        self.media = media
        self.publicURL = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
    }

    public func find(_ reference: MediaReference, app: App.ID) async throws -> MediaFinding {
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
