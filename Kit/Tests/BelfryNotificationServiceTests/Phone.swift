import BelfryCore
import Foundation
import Testing
import UserNotifications

@testable import BelfryNotificationService

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The parts of iOS, the app and the network in a test of the service extension.
struct Phone: Sendable {
    /// What a notification shows.
    struct Shown: Sendable, Equatable {
        let body: String
        let files: [URL]
        var category = ""
    }

    let root: URL
    let shown = Guarded<[Shown]>([])
    let screen: AsyncStream<Shown>
    var showings: Int { shown.withLock { $0.count } }
    private let screenEnd: AsyncStream<Shown>.Continuation
    let server = FakeTransport()
    /// iOS's own: its lock guards its state.
    nonisolated(unsafe) let center: UNUserNotificationCenter
    /// Those of the extension's process.
    let buttons = ButtonCategories()

    private init(root: URL, _ center: UNUserNotificationCenter) {
        self.root = root
        self.center = center
        (screen, screenEnd) = AsyncStream.makeStream()
    }

    static func with(
        _ center: UNUserNotificationCenter = UNUserNotificationCenter(stub: .init()),
        _ body: (Phone) async throws -> Void
    ) async throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("phone-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try await body(Phone(root: root, center))
    }

    var attachments: AttachmentFolder { AttachmentFolder(url: root.appendingPathComponent("files")) }

    /// The names of the files in the folder of attachments.
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: attachments.url.path)) ?? [] }

    /// The names of the events on disk, of which a sender may have claimed some.
    var events: [String] {
        let folder = KitFolder(appGroup: "group.a", container: { _ in root }, own: root).events
        return (try? FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("service").path))
            ?? []
    }

    func service(appGroup: String? = "group.a") throws -> TestService {
        let service = TestService()
        service.chosen = BelfryConfiguration(
            api: try #require(URL(string: "https://push.example.com/v1/apps/1")), publishableKey: "bfp_a",
            appGroup: appGroup)
        service.tools.attachments = attachments
        let (root, server) = (root, server)
        service.tools.folder = { KitFolder(appGroup: $0, container: { _ in root }, own: root) }
        service.tools.transport = { server }
        service.tools.session = { FakeMedia.session }
        nonisolated(unsafe) let center = center
        service.tools.center = { center }
        service.tools.buttons = buttons
        return service
    }

    /// Hands a push to the service, as iOS does.
    func receive(_ userInfo: [AnyHashable: Any], _ service: BelfryServiceExtension) {
        let content = UNMutableNotificationContent()
        content.body = "As it came"
        content.userInfo = userInfo
        let request = UNNotificationRequest(identifier: "r", content: content, trigger: nil)
        let (shown, end) = (shown, screenEnd)
        service.didReceive(request) { content in
            let new = Shown(
                body: content.body, files: content.attachments.map(\.url), category: content.categoryIdentifier)
            shown.withLock { $0.append(new) }
            end.yield(new)
        }
    }

    /// Waits for the next notification that is shown.
    func next() async throws -> Shown {
        for await shown in screen { return shown }
        throw CancellationError()
    }
}

/// An app's subclass.
final class TestService: BelfryServiceExtension {
    var chosen: BelfryConfiguration?
    var preparing: @Sendable (UNMutableNotificationContent) async -> Void = { _ in }
    let reported = Guarded<[Diagnostic]>([])

    override var configuration: BelfryConfiguration? { chosen }
    override func prepare(_ content: UNMutableNotificationContent, for push: Push) async { await preparing(content) }
    override func report(_ diagnostic: Diagnostic) { reported.withLock { $0.append(diagnostic) } }

    var codes: [String] { reported.withLock { $0.map(\.code) } }

    /// Waits until nothing of the last push is under way. Tests alone do: iOS waits for nothing.
    func settle() async {
        for task in delivery.withLock({ $0 })?.work ?? [] { await task.value }
    }
}

/// The server of acknowledgements.
final class FakeTransport: Transport {
    let requests: AsyncStream<URLRequest>
    private let arrived: AsyncStream<URLRequest>.Continuation
    private let held: AsyncStream<Void>
    private let hold: AsyncStream<Void>.Continuation
    private let hanging = Guarded(false)

    init() {
        (requests, arrived) = AsyncStream.makeStream()
        (held, hold) = AsyncStream.makeStream()
    }

    /// Requests get no answer until they are cancelled.
    func hang() { hanging.withLock { $0 = true } }

    func send(_ request: URLRequest) async -> TransportResult {
        arrived.yield(request)
        guard hanging.withLock({ $0 }) else {
            return .answer(.init(status: 200, body: Data(#"{"failed":[],"registered":true}"#.utf8)))
        }
        // Ends when its task is cancelled.
        for await _ in held {}
        return .failed("cancelled")
    }

    /// Waits for the next request.
    func next() async throws -> URLRequest {
        for await request in requests { return request }
        throw CancellationError()
    }
}
