import Foundation

/// The folder of the kit's files: in the app group if there is one, which the app shares with its extensions, else in the
/// process's own container. The group is named in the configuration, because a name that is made of the bundle's id
/// would differ between the app and its extensions.
public struct KitFolder: Sendable {
    /// The folder of all files of the kit.
    public let url: URL
    /// Why the folder is not shared; nil if it is. The kit works all the same: what the extension can't send waits for
    /// the extension's next start.
    public let diagnostic: Diagnostic?

    /// `container` is `containerURL(forSecurityApplicationGroupIdentifier:)`, which returns nil if the target's
    /// entitlements lack the group; `own` is the process's own container.
    public init(appGroup: String?, container: (String) -> URL?, own: URL) {
        let shared = appGroup.flatMap(container)
        url = Self.folder(in: shared ?? own)
        switch (appGroup, shared) {
        case (_, .some): diagnostic = nil
        case (nil, nil):
            diagnostic = Diagnostic(
                .configuration, "no-app-group",
                "The app and its extensions share no app group. Set BelfryConfiguration.appGroup.")
        case (let group?, nil):
            diagnostic = Diagnostic(
                .configuration, "app-group-missing",
                "This target can't open the app group \(group). Add it to the target's capability App Groups.")
        }
    }

    private static func folder(in container: URL) -> URL {
        container.appendingPathComponent("Library/Application Support/Belfry", isDirectory: true)
    }

    /// For `EventQueue`.
    public var events: URL { url.appendingPathComponent("events", isDirectory: true) }
}

extension KitFolder {
    /// The folder of this process, with the files that it had before there was an app group. Only Apple's systems have
    /// app groups.
    public init(appGroup: String?) {
        #if canImport(Darwin)
            let container = { FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0) }
        #else
            let container = { (_: String) -> URL? in nil }
        #endif
        let own = URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true)
        self.init(appGroup: appGroup, container: container, own: own)
        let old = Self.folder(in: own)
        if old != url { Self.move(old, into: url) }
    }
}
