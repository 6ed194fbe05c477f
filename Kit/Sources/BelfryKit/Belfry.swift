@_exported import BelfryCore
import Foundation
@preconcurrency import UserNotifications

/// Belfry in an app: one object, from any thread.
///
///     Belfry.start(BelfryConfiguration(api: api, publishableKey: "bfp_…", appGroup: "group.com.example.app"))
///
/// Call `start` in `application(_:didFinishLaunchingWithOptions:)`, and set the delegate of `UNUserNotificationCenter`
/// there, too: iOS reports the tap that launched the app only to a delegate that is set by then. The kit replaces no
/// delegate and no method of the app; the app passes on what iOS reports.
public final class Belfry: Sendable {
    /// The object of the app.
    public static let shared = Belfry()

    private struct State {
        var configuration: BelfryConfiguration?
        var client: Client?
    }

    private let state = Guarded(State())
    /// Changes in their order, so that a logout never overtakes a login. They only store, and wait for no network.
    let changes = SerialWork()
    /// Work that waits for the network: a slow server must not keep a logout from being stored.
    let fetches = SerialWork()
    let influenced = Guarded(InfluencedOpens())
    /// A closure, because the center is not Sendable in every SDK. Tests have their own.
    let center: @Sendable () -> UNUserNotificationCenter
    private let makeClient: @Sendable (BelfryConfiguration) -> Client

    convenience init() {
        self.init(center: { .current() }) { configuration in
            let folder = KitFolder(appGroup: configuration.appGroup)
            let client = Client(
                configuration: configuration, folder: folder.url,
                installations: DeviceInstallation.store(keychainGroup: configuration.keychainGroup, folder: folder.url))
            // An app without a service extension needs no group.
            if let diagnostic = folder.diagnostic, configuration.appGroup != nil { client.report(diagnostic) }
            return client
        }
    }

    /// For tests: an object of its own, with another notification centre and another client. The app uses `shared`.
    public init(
        center: @escaping @Sendable () -> UNUserNotificationCenter,
        makeClient: @escaping @Sendable (BelfryConfiguration) -> Client
    ) {
        self.center = center
        self.makeClient = makeClient
    }

    /// Starts the kit. It returns at once: files and the Keychain are read later, on another thread. What the app did
    /// before `start` is not lost. A second call changes nothing.
    @discardableResult
    public static func start(_ configuration: BelfryConfiguration) -> Belfry {
        shared.start(configuration)
        return shared
    }

    /// See the static `start`.
    public func start(_ configuration: BelfryConfiguration) {
        let isFirst = state.withLock { state in
            guard state.configuration == nil else { return false }
            state.configuration = configuration
            return true
        }
        if isFirst { for work in [changes, fetches] { work.start { [weak self] in self?.client } } }
        refresh()
    }

    /// Made when it is needed first; nil before `start`.
    public var client: Client? {
        state.withLock { state in
            if let client = state.client { return client }
            guard let configuration = state.configuration else { return nil }
            let client = makeClient(configuration)
            state.client = client
            return client
        }
    }

    /// Mistakes and warnings for the app's developers. Read it in debug builds:
    ///
    ///     Task { for await each in Belfry.shared.diagnostics { print(each) } }
    public var diagnostics: AsyncStream<Diagnostic> { client?.diagnostics ?? AsyncStream { $0.finish() } }

    /// Sends what waits, and returns when the server has it or has to be waited for. Call it from a background task when
    /// the app has to be sure; otherwise the kit does it.
    public func flush() async {
        guard let client else { return }
        await changes.settle()
        await fetches.settle()
        await client.flush()
    }
}
