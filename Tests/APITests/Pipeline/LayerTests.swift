import Administration
import Campaigns
import EventLoop
import HTTPServer
import HTTPTypes
import JSON
import Logging
import Postgres
import TestSupport
import Testing

@testable import API
@testable import Store

/// The layers that decide by the declaration, the request and the caller alone. The tests beside this one ask the others
/// through the API.
@Suite struct LayerTests {
    private static let errors = ErrorRendering(logger: CapturedLog().makeLogger())

    private static func route(_ method: HTTPRequest.Method, _ pattern: String, for access: Access?) -> Route {
        let work: Route.Work =
            access.map { .forCallers($0) { _ in .noContent } } ?? .open { _ in .noContent }
        return Route(method: method, pattern: pattern, group: "", work: work, query: ["limit"], bodyLimit: 0)
    }

    private static func call(
        _ kind: APIKey.Kind, on loop: EventLoop, _ path: String = "/", headers: HTTPFields = [:]
    ) throws -> Call {
        let now = Timestamp(microseconds: 0)
        let key = APIKey(
            id: APIKey.ID(rawValue: 1), app: nil, kind: kind, name: "", scopes: [], withheldScopes: [],
            isStopped: false,
            prefix: "", createdAt: now, revokedAt: nil, expiresAt: nil, lastUsedAt: nil,
            allowedAddresses: .everywhere, createdBy: nil)
        return Call(request: try Request(.get, path, headers: headers, on: loop), caller: .key(key)) { true }
    }

    @Test(
        arguments: [
            (HTTPRequest.Method.get, .some(.key), .some("no-store")), (.get, nil, nil), (.post, .some(.key), nil),
        ] as [(HTTPRequest.Method, Access?, String?)])
    func refusalOfWhatACallerReadsIsNotStored(
        _ method: HTTPRequest.Method, _ access: Access?, _ cacheControl: String?
    ) async throws {
        try await TestLoop.run { loop in
            let layer = ErrorAnswers(Self.route(method, "/v1/x", for: access), Self.errors)
            let request = try Request(method, "/v1/x", on: loop)
            let answer = try await layer.around { _ in throw Refusal.notFound(.app) }(request)
            #expect(answer.status == .notFound && answer.headers[.cacheControl] == cacheControl)
        }
    }

    @Test func onlyAnAppMayStoreWhatItReads() async throws {
        try await TestLoop.run { loop in
            let layer = try #require(Caching(Self.route(.get, "/v1/x", for: .key)))
            for (kind, cacheControl) in [(APIKey.Kind.publishable, nil), (.secret, "no-store")] {
                let answer = try await layer.around { _ in .json(["a": 1]) }(Self.call(kind, on: loop))
                #expect(answer.headers[.cacheControl] == cacheControl)
            }
        }
        #expect(Caching(Self.route(.post, "/v1/x", for: .key)) == nil)
    }

    @Test func knownContentIsNotSentAgain() async throws {
        try await TestLoop.run { loop in
            let layer = try #require(Conditional(Self.route(.get, "/v1/x", for: .key)))
            for (tag, status) in [("\"1-a\"", HTTPResponse.Status.notModified), ("\"1-b\"", .ok)] {
                let call = try Self.call(.secret, on: loop, headers: [.ifNoneMatch: tag])
                let answer = try await layer.around { _ in Response(headers: [.eTag: "\"1-a\""]) }(call)
                #expect(answer.status == status && answer.headers[.eTag] == "\"1-a\"")
            }
        }
        #expect(Conditional(Self.route(.put, "/v1/x", for: .key)) == nil)
    }

    @Test func parametersThatARouteDoesNotDeclareAreRefused() async throws {
        try await TestLoop.run { loop in
            let layer = KnownQuery(Self.route(.get, "/v1/x", for: .key))
            let known = try Self.call(.secret, on: loop, "/v1/x?limit=1")
            let answer = try await layer.around { _ in .noContent }(known)
            #expect(answer.status == .noContent)
            let unknown = try Self.call(.secret, on: loop, "/v1/x?limits=1")
            await #expect(throws: APIError.self) { _ = try await layer.around { _ in .noContent }(unknown) }
        }
        // Monitoring may add parameters; routes for callers check them after the permission.
        #expect(KnownQuery(ofOpen: Self.route(.get, "/healthz", for: nil)) == nil)
        #expect(KnownQuery(ofOpen: Self.route(.get, "/v1/x", for: .key)) == nil)
        #expect(KnownQuery(ofOpen: Self.route(.get, "/v1/x", for: nil)) != nil)
    }

    @Test func callersWithoutThePermissionDoNotReachTheHandler() async throws {
        try await TestLoop.run { loop in
            let layer = try #require(Allowed(Self.route(.get, "/v1/x", for: .permission(.appsRead))))
            let call = try Self.call(.secret, on: loop)
            await #expect(throws: APIError.self) { _ = try await layer.around { _ in .noContent }(call) }
        }
    }
}
