import Administration
import Application
import Campaigns
import Crypto
import EventLoop
import HTTPServer
import HTTPTypes
import JSON
import Logging
import Notifications
import Postgres
import TestSupport
import Testing

@testable import API
@testable import Store

/// The API with its device and acknowledgement routes, without a socket.
struct DeviceAPIFixture: Sendable {
    let pool: PostgresPool
    let router: Router
    let loop: EventLoop
    let app: App.ID
    let publishable: String
    /// With every scope.
    let secret: String
    let keys: APIKeyStore
    let identityKeys: IdentityKeyStore
    /// The lines that the limits on registrations have logged.
    let log: CapturedLog
    let messageKey: HMACKey

    static func run(_ body: @escaping @Sendable (DeviceAPIFixture) async throws -> Void) async throws {
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let log = CapturedLog()
        try await TestDatabase.withDatabase { configuration in
            try await TestLoop.run { loop in
                let pool = PostgresPool(configuration, on: loop, logger: quiet)
                let sealing = try SealingKeyRing(text: Hex.encode(RandomBytes.make(count: AESGCM.keyLength)))
                let stores = Stores(pool: pool, sealingKeys: sealing)
                let app = try await stores.apps.create(AppSettings(name: "x", bundleID: BundleID("com.example.x"))).id
                let store = stores.apiKeys
                let keys = MessageKeyCache(store: stores.messageKeys)
                let registrations = RegistrationCommit.registrations(stores.registrations, on: loop)
                let acknowledgements = AcknowledgementCommit.acknowledgements(stores.acknowledgements, on: loop)
                let customEvents = CustomEventCommit.customEvents(stores.customEvents, on: loop)
                let router = try await APIGraph.forTests(
                    stores, registrations: registrations, acknowledgements: acknowledgements,
                    customEvents: customEvents,
                    admission: RegistrationAdmission(
                        stores.identityKeys, logger: log.makeLogger(), minimumAge: .zero),
                    logger: quiet
                ).api().router()
                let fixture = DeviceAPIFixture(
                    pool: pool, router: router, loop: loop, app: app,
                    publishable: try await store.create(app: app, kind: .publishable, name: "p", scopes: []).text,
                    secret: try await store.create(app: app, kind: .secret, name: "s", scopes: Set(Permission.allCases))
                        .text,
                    keys: store, identityKeys: stores.identityKeys, log: log,
                    messageKey: try #require(try await keys.keys(of: app).first))
                async let first: Void = registrations.run()
                async let second: Void = acknowledgements.run()
                async let third: Void = customEvents.run()
                let result: Result<Void, any Error>
                do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
                registrations.stop()
                acknowledgements.stop()
                customEvents.stop()
                _ = await (first, second, third)
                await pool.close()
                try result.get()
            }
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, key: String? = nil, type: String? = nil
    ) async throws -> (status: Int, json: JSON, headers: HTTPFields) {
        let (status, bytes, headers) = try await sendBytes(
            method, path, body.map { Array($0.utf8) }, key: key ?? publishable, type: type)
        return (status, bytes.isEmpty ? .null : try JSON(parsing: bytes), headers)
    }

    /// The status of a request with these headers.
    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields, _ body: String?
    ) async throws -> Int {
        let request = try Request(
            method, "/v1/apps/\(app)\(path)", headers: headers, body: Array((body ?? "").utf8), on: loop)
        return await router.respond(to: request).status.code
    }

    /// As a server does, unless another key is given.
    func sendBytes(
        _ method: HTTPRequest.Method, _ path: String, _ body: [UInt8]? = nil, key: String? = nil, type: String? = nil,
        headers more: HTTPFields = [:]
    ) async throws -> (status: Int, bytes: [UInt8], headers: HTTPFields) {
        var headers: HTTPFields = [.authorization: "Bearer \(key ?? secret)"]
        if body != nil { headers[.contentType] = type ?? "application/json" }
        for field in more { headers.append(field) }
        let request = try Request(method, "/v1/apps/\(app)\(path)", headers: headers, body: body ?? [], on: loop)
        let response = await router.respond(to: request)
        return (response.status.code, try await response.collect(upTo: 64 << 20), response.headers)
    }
}
