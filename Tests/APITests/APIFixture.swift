import Administration
import Application
import Campaigns
import Crypto
import EventLoop
import Foundation
import HTTPClient
import HTTPServer
import HTTPTypes
import JSON
import Logging
import Notifications
import Postgres
import Store
import TestSupport
import Testing

@testable import API

/// The whole API on a database of its own, spoken to without a socket or over one. The group commits are not run: what
/// phones send is tested with `DeviceAPIFixture`.
struct APIFixture: Sendable {
    enum Transport: CaseIterable { case router, live }

    let configuration: PostgresConfiguration
    let pool: PostgresPool
    let router: Router
    let deviceRouter: Router
    /// The requirements and inputs of each route.
    let declared: [Route]
    let pipeline: Pipeline
    /// An administrator's key with every scope.
    let admin: String
    fileprivate let send: @Sendable (HTTPRequest.Method, String, HTTPFields, [UInt8]) async throws -> Answer

    var keys: APIKeyStore { APIKeyStore(pool: pool) }
    var users: UserStore { UserStore(pool: pool) }

    /// The fields that the browser of a new person sends who is signed in and has these roles.
    func browser(_ email: String, _ roles: [RoleAssignment]) async throws -> HTTPFields {
        let user = try await users.create(EmailAddress(email), name: "", roles: roles)
        let token = try SessionToken.make()
        _ = try await SessionStore(pool: pool).create(
            token.hash, of: user.id, address: "192.0.2.1", userAgent: "Test", lifetime: .seconds(3_600))
        return Self.browser(token.text)
    }

    static func browser(_ token: String) -> HTTPFields {
        var fields: HTTPFields = [.cookie: "other=1; belfry_session=\(token)"]
        HTTPField.Name("Sec-Fetch-Site").map { fields[$0] = "same-origin" }
        return fields
    }

    /// As a person in a browser.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil, as browser: HTTPFields
    ) async throws -> Answer {
        try await send(method, path, json, key: .some(nil), headers: browser)
    }

    static func run(
        _ transport: Transport = .router, limits: RateLimits = .none, publicURL: String = "http://push.example.com",
        _ body: @escaping @Sendable (APIFixture) async throws -> Void
    ) async throws {
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await TestDatabase.withDatabase { configuration in
            try await TestLoop.run { loop in
                let pool = PostgresPool(configuration, on: loop, logger: quiet)
                let sealingKeys = try SealingKeyRing(text: Hex.encode(RandomBytes.make(count: AESGCM.keyLength)))
                let stores = Stores(pool: pool, sealingKeys: sealingKeys)
                let api = try await APIGraph.forTests(
                    stores, registrations: .registrations(stores.registrations, on: loop),
                    acknowledgements: .acknowledgements(stores.acknowledgements, on: loop),
                    customEvents: .customEvents(stores.customEvents, on: loop), rateLimits: limits,
                    publicURL: publicURL, logger: quiet
                ).api()
                let router = api.router()
                let admin = try await stores.apiKeys.create(
                    app: nil, kind: .secret, name: "admin", scopes: Set(Permission.allCases)
                ).text
                @Sendable func fixture(
                    _ send: @escaping @Sendable (HTTPRequest.Method, String, HTTPFields, [UInt8]) async throws -> Answer
                ) -> APIFixture {
                    APIFixture(
                        configuration: configuration, pool: pool, router: router, deviceRouter: api.deviceRouter(),
                        declared: api.routes,
                        pipeline: api.pipeline, admin: admin, send: send)
                }
                switch transport {
                case .router:
                    try await body(
                        fixture { method, path, headers, bytes in
                            let request = try Request(method, path, headers: headers, body: bytes, on: loop)
                            let response = await router.respond(to: request)
                            return Answer(
                                status: response.status.code, headers: response.headers,
                                body: try await response.collect(upTo: 1 << 21))
                        })
                case .live:
                    try await serving(router, quiet) { client in
                        try await body(
                            fixture { method, path, headers, bytes in
                                let (head, bytes) = try await client.send(
                                    method, path, headers: headers, body: bytes, bodyLimit: 16 << 20)
                                return Answer(status: head.status.code, headers: head.headerFields, body: bytes)
                            })
                    }
                }
                await pool.close()
            }
        }
    }

    /// The document of the repository.
    static func document() throws -> OpenAPIDocument {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        return try OpenAPIDocument(folder: tests.appending(path: "../../Public/openapi").standardized.path)
    }

    private static func serving(
        _ router: Router, _ logger: Logger, _ body: @escaping @Sendable (HTTPClient) async throws -> Void
    ) async throws {
        let loops = try EventLoopGroup(count: 4, name: "api-test")
        defer { loops.stop() }
        let loop = loops.next()
        let address = try #require(SocketAddress(ip: "127.0.0.1", port: 0))
        let server = try HTTPServer(
            configuration: ServerConfiguration(address: address), router: router, loops: loops, logger: logger)
        let client = HTTPClient(loop: loop, host: "127.0.0.1", port: server.address.port ?? 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: loop) { try await server.run() }
            let result: Result<Void, any Error>
            do {
                result = .success(try await withTaskExecutorPreference(loop) { try await body(client) })
            } catch {
                result = .failure(error)
            }
            await client.close()
            server.shutDown()
            try await group.next()
            try result.get()
        }
    }

    /// As the administrator, unless another key is given; nil sends none.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ json: JSON? = nil, key: String?? = .none,
        headers more: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = more
        if let key = key ?? admin { headers[.authorization] = "Bearer \(key)" }
        if json != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        let answer = try await send(method, path, headers, json?.encoded() ?? [])
        if let json = try? answer.json {
            Self.checkTimes(of: json, "\(method) \(path)")
            Self.checkMessages(of: json, "\(method) \(path)")
        }
        return answer
    }

    /// Every message in an answer is there in English and as a key with arguments, and both say the same.
    private static func checkMessages(of json: JSON, _ request: String) {
        for element in json.elements ?? [] { checkMessages(of: element, request) }
        let members = json.members ?? []
        let names = Set(members.map(\.key))
        if names.contains("code"), names.contains("path") || names.contains("status") {
            let isWhole = !names.isDisjoint(with: ["message_localization", "detail_localization"])
            #expect(isWhole, "a problem of \(request) has no key")
        }
        for member in members {
            switch member.key {
            case "after", "attributes", "before", "content", "examples", "payload", "properties", "values": continue
            case let name where name.hasSuffix("_localization"):
                let text = json[String(name.dropLast("_localization".count))]?.string
                #expect(Message(localization: member.value)?.description == text, "\(name) of \(request)")
            default: checkMessages(of: member.value, request)
            }
        }
    }

    /// Every time in an answer has the one format, in UTC with milliseconds. What clients wrote themselves is theirs.
    private static func checkTimes(of json: JSON, _ request: String) {
        for element in json.elements ?? [] { checkTimes(of: element, request) }
        for member in json.members ?? [] {
            switch member.key {
            case "after", "attributes", "audience", "before", "content", "examples", "payload", "values": continue
            case "at", "from", "occurrence", "until",
                _ where member.key.hasSuffix("_at"):
                guard let text = member.value.string, let time = Instant(rfc3339: text) else { fallthrough }
                #expect(text == time.rfc3339, "\(member.key) of \(request)")
            default: checkTimes(of: member.value, request)
            }
        }
    }

    /// A body that may be anything.
    func sendText(_ method: HTTPRequest.Method, _ path: String, _ text: String, type: String?) async throws -> Answer {
        try await sendBytes(method, path, Array(text.utf8), type: type)
    }

    func sendBytes(_ method: HTTPRequest.Method, _ path: String, _ bytes: [UInt8], type: String?) async throws -> Answer
    {
        var headers: HTTPFields = [.authorization: "Bearer \(admin)"]
        headers[.contentType] = type
        return try await send(method, path, headers, bytes)
    }

    /// The id of a new app.
    func app(_ bundleID: String = "com.example.Shop") async throws -> String {
        let answer = try await send(.post, "/v1/apps", ["name": "Shop", "bundle_id": .string(bundleID)])
        #expect(answer.status == 201)
        return answer.text("id")
    }

    /// An app that may send: with an APNs key, which nobody opens here, and one device.
    func readyApp(_ bundleID: String = "com.example.Shop") async throws -> String {
        let app = try await app(bundleID)
        try await makeReady(app)
        return app
    }

    func makeReady(_ app: String) async throws {
        try await pool.execute(
            """
            INSERT INTO credentials (app_id, production, development, key_id, team_id, sealed_key)
            VALUES (\(app)::text::bigint, true, true, 'ABCDEFGHIJ', 'TEAM123456', '')
            """)
        try await pool.insertDevice("ready", of: app)
    }

    /// The id of a new draft.
    func campaign(of app: String) async throws -> String {
        let answer = try await send(
            .post, "/v1/apps/\(app)/campaigns", ["name": "Sale", "payload": ["aps": ["alert": "Hello"]]])
        #expect(answer.status == 201)
        return answer.text("id")
    }
}

struct Answer: Sendable {
    let status: Int
    let headers: HTTPFields
    let body: [UInt8]

    var json: JSON {
        get throws { try JSON(parsing: body) }
    }

    /// The text under a key; empty when there is none.
    func text(_ key: String) -> String {
        guard case .string(let text) = try? json[key] else { return "" }
        return text
    }

    /// The code of a problem document, which it is checked to be.
    var code: String {
        #expect(headers[.contentType] == "application/problem+json")
        return text("code")
    }

    /// Paths and codes of the members at fault.
    var problems: [String] {
        guard case .array(let problems) = try? json["problems"] else { return [] }
        return problems.map { problem in
            guard case .string(let path) = problem["path"], case .string(let code) = problem["code"] else { return "" }
            return "\(path): \(code)"
        }
    }

    /// The ids of a list's members, and its next cursor.
    var page: (ids: [String], next: String?) {
        get throws {
            let json = try json
            let data = try #require(json["data"]?.elements)
            return (data.compactMap { $0["id"]?.string }, json["next_cursor"]?.string)
        }
    }
}

extension JSON {
    /// Nil unless this is an array, so that `#require` fails.
    var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }

    /// Nil unless this is an object.
    var members: [JSON.Member]? { if case .object(let members) = self { members } else { nil } }

    /// Nil unless this is a whole number.
    var integer: Int? { if case .number(let number) = self { number.int } else { nil } }

    /// Nil unless this is a string.
    var string: String? { if case .string(let text) = self { text } else { nil } }
}
