import Foundation

/// Holds the permission to read one file of iOS's own folder of attachments, which the kernel counts: each start needs
/// its stop.
final class FileAccess {
    private var opened: URL?

    /// Gives up the file before, and returns this one; nil if iOS does not permit it.
    func open(_ url: URL?) -> URL? {
        close()
        guard let url, url.startAccessingSecurityScopedResource() else { return nil }
        opened = url
        return url
    }

    private func close() {
        opened?.stopAccessingSecurityScopedResource()
        opened = nil
    }

    deinit { close() }
}
