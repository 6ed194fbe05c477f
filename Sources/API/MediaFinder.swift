public import Campaigns
import Notifications
import Store

/// Looks for the media that a content names.
public protocol MediaFinder: Sendable {
    func find(_ reference: MediaReference, app: App.ID) async throws -> MediaFinding
}

/// Finds an app's own media under the addresses at which phones fetch it, and takes addresses elsewhere unseen.
struct MediaAddresses: MediaFinder {
    let media: MediaStore
    /// Without a slash at the end.
    let publicURL: String

    func find(_ reference: MediaReference, app: App.ID) async throws -> MediaFinding {
        switch reference {
        case .stored(let text):
            guard let id = Media.ID(text) else { return .absent }
            do {
                let found = try await media.find(id, app: app)
                return .found(url: url(of: found), type: found.type?.kind.rawValue)
            } catch StoreRefusal.notFound {
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

    func url(of media: MediaRecord) -> String {
        media.externalURL ?? "\(publicURL)/media/\(media.capability.text)/\(media.fileName)"
    }
}
