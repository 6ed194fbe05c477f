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
        url = (shared ?? own).appendingPathComponent("Library/Application Support/Belfry", isDirectory: true)
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

    /// For `EventQueue`.
    public var events: URL { url.appendingPathComponent("events", isDirectory: true) }
}

extension KitFolder {
    /// The folder of this process. Only Apple's systems have app groups.
    public init(appGroup: String?) {
        #if canImport(Darwin)
            let container = { FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0) }
        #else
            let container = { (_: String) -> URL? in nil }
        #endif
        self.init(
            appGroup: appGroup, container: container, own: URL(fileURLWithPath: NSHomeDirectory(), isDirectory: true))
    }
}
