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

    /// Changes that wait for `start`, or for the one before them; of more, the oldest are dropped.
    static let maximumWaiting = 1_000

    typealias Work = @Sendable (Client) async -> Void

    private struct State {
        var configuration: BelfryConfiguration?
        var client: Client?
        var worker: Task<Void, Never>?
    }

    private let state = Guarded(State())
    /// Work that is done one after another, so that a logout never overtakes a login.
    private let waiting: AsyncStream<Work>
    private let enqueued: AsyncStream<Work>.Continuation
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
        (waiting, enqueued) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.maximumWaiting))
    }

    deinit { state.withLock { $0.worker?.cancel() } }

    /// Starts the kit. It returns at once: files and the Keychain are read later, on another thread. What the app did
    /// before `start` is not lost. A second call changes nothing.
    @discardableResult
    public static func start(_ configuration: BelfryConfiguration) -> Belfry {
        shared.start(configuration)
        return shared
    }

    /// See the static `start`.
    public func start(_ configuration: BelfryConfiguration) {
        state.withLock { state in
            guard state.configuration == nil else { return }
            state.configuration = configuration
            state.worker = Task { [waiting, weak self] in
                for await work in waiting {
                    guard let client = self?.client else { return }
                    await work(client)
                }
            }
        }
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

    func enqueue(_ work: @escaping Work) { enqueued.yield(work) }

    /// Returns when everything before it has been done.
    func settle() async {
        guard client != nil else { return }
        await withCheckedContinuation { continuation in enqueue { _ in continuation.resume() } }
    }

    /// Sends what waits, and returns when the server has it or has to be waited for. Call it from a background task when
    /// the app has to be sure; otherwise the kit does it.
    public func flush() async {
        await settle()
        await client?.flush()
    }
}
