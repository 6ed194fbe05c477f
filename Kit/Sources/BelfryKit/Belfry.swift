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
        /// Local notifications that the app keeps for its own.
        var reserved = 0
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
    /// before `start` is not lost. A second call changes nothing. `reserving` is the number of local notifications that
    /// the app keeps for its own, of the 64 that iOS keeps.
    @discardableResult
    public static func start(_ configuration: BelfryConfiguration, reserving: Int = 0) -> Belfry {
        shared.start(configuration, reserving: reserving)
        return shared
    }

    /// See the static `start`.
    public func start(_ configuration: BelfryConfiguration, reserving: Int = 0) {
        let other = state.withLock { state in
            state.reserved = reserving
            defer { state.configuration = state.configuration ?? configuration }
            return state.configuration
        }
        if let other {
            if other.api != configuration.api || other.publishableKey != configuration.publishableKey {
                changes.add { client in
                    client.report(
                        Diagnostic(
                            .configuration, "started-twice",
                            "The kit was started with another address or key, which it ignores. Another server needs "
                                + "another launch."))
                }
            }
        } else {
            for work in [changes, fetches] { work.start { [weak self] in self?.client } }
        }
        refresh()
    }

    /// The number to use, which is remembered; nil: the last one.
    func reserved(_ number: Int?) -> Int {
        state.withLock { state in
            if let number { state.reserved = number }
            return state.reserved
        }
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

    /// Mistakes and warnings for the app's developers. One reader at a time. Read it in debug builds, also before `start`:
    ///
    ///     Task { for await each in Belfry.shared.diagnostics { print(each) } }
    public var diagnostics: AsyncStream<Diagnostic> {
        if let client { return client.diagnostics }
        return AsyncStream { continuation in
            let reader = Guarded<Task<Void, Never>?>(nil)
            changes.add { client in
                let task = Task {
                    for await each in client.diagnostics { continuation.yield(each) }
                    continuation.finish()
                }
                reader.withLock { $0 = task }
            }
            continuation.onTermination = { _ in reader.withLock { $0?.cancel() } }
        }
    }

    /// Sends what waits, and returns when the server has it or has to be waited for. Call it from a background task when
    /// the app has to be sure; otherwise the kit does it.
    public func flush() async {
        guard let client else { return }
        await changes.settle()
        await fetches.settle()
        await client.flush()
    }
}
