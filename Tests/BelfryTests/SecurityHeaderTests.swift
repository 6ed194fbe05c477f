import EventLoop
import Foundation
import HTTPClient
import HTTPTypes
import JSON
import Notifications
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    /// Walks every kind of response of a running server.
    struct SecurityHeaderTests {
        private static let nosniff = HTTPField.Name("X-Content-Type-Options")
        private static let referrerPolicy = HTTPField.Name("Referrer-Policy")
        private static let forwardedProto = HTTPField.Name("X-Forwarded-Proto")

        /// The beginning of an image.
        private static let png: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]

        @Test func everyResponseProtectsTheBrowser() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder, serve: ["--trusted-proxies", "127.0.0.1"]) { serve in
                    try await withTaskExecutorPreference(serve.loop) { try await walk(serve) }
                }
            }
        }

        private func walk(_ serve: ServeFixture) async throws {
            let client = HTTPClient(loop: serve.loop, host: "127.0.0.1", port: try #require(serve.address.port))
            let key: HTTPFields = [.authorization: "Bearer \(serve.key)"]
            let media = try await upload(serve, client, key)
            let tag = try #require(await client.send(.get, media).0.headerFields[.eTag])
            let pageTag = try #require(await client.send(.get, "/").0.headerFields[.eTag])
            let requests: [(HTTPRequest.Method, String, HTTPFields, Int)] = [
                (.get, "/", [:], 200), (.get, "/", [.ifNoneMatch: pageTag], 304), (.head, "/", [:], 200),
                (.get, "/", [.acceptEncoding: "gzip"], 200), (.get, "/css/components.css", [:], 200),
                (.get, "/css/components.css", [.range: "bytes=0-1"], 206),
                (.get, "/css/components.css", [.range: "bytes=999999-"], 416),
                (.get, "/bell.svg", [:], 200), (.get, "/nothing", [:], 404), (.get, "/../etc/passwd", [:], 404),
                (.get, "/openapi.json", [:], 200), (.get, "/healthz", [:], 200), (.get, "/readyz", [:], 200),
                (.get, "/v1/apps", [:], 401), (.get, "/v1/apps", key, 200), (.delete, "/v1/apps", key, 405),
                (.options, "/v1/apps", [:], 204), (.get, "/v1/apps/999999", key, 404), (.post, "/v1/apps", key, 415),
                (.get, "/v1/apps?nonsense=1", key, 400), (.get, "/%zz", [:], 400),
                (.get, media, [:], 200), (.get, media, [.ifNoneMatch: tag], 304), (.head, media, [:], 200),
                (.get, media, [.range: "bytes=0-1"], 206), (.get, media, [.range: "bytes=999999-"], 416),
                (.get, media + "x", [:], 404),
            ]
            for (method, path, fields, status) in requests {
                for scheme in ["https", "http"] {
                    var headers = fields
                    headers[try #require(Self.forwardedProto)] = scheme
                    let (head, _) = try await client.send(method, path, headers: headers, bodyLimit: 1 << 22)
                    let name: Comment = "\(method) \(path)"
                    #expect(head.status.code == status, name)
                    check(head, isSecure: scheme == "https", name)
                    if path == media, status < 400 {
                        #expect(head.headerFields[.contentSecurityPolicy] == "default-src 'none'; sandbox", name)
                    }
                }
            }
            await client.close()
        }

        private func check(_ head: HTTPResponse, isSecure: Bool, _ name: Comment) {
            let fields = head.headerFields
            #expect(Self.nosniff.flatMap { fields[$0] } == "nosniff", name)
            #expect(fields[.strictTransportSecurity] == (isSecure ? "max-age=31536000" : nil), name)
            guard fields[.contentType]?.hasPrefix("text/html") == true else { return }
            let policy = fields[.contentSecurityPolicy] ?? ""
            #expect(policy.hasPrefix("default-src 'none';") && policy.contains("frame-ancestors 'none'"), name)
            #expect(!policy.contains("unsafe-inline") && !policy.contains("unsafe-eval"), name)
            #expect(Self.referrerPolicy.flatMap { fields[$0] } == "no-referrer", name)
        }

        /// Uploads an image that is also a page, and returns its path.
        private func upload(_ serve: ServeFixture, _ client: HTTPClient, _ key: HTTPFields) async throws -> String {
            let page = Array("<!DOCTYPE html><svg onload=alert(1)><script>alert(1)</script></svg>".utf8)
            var headers = key
            for type in ["text/html", "image/svg+xml", "image/png"] {
                headers[.contentType] = type
                let (refused, _) = try await client.send(
                    .post, "/v1/apps/\(serve.app)/media", headers: headers, body: page)
                #expect((400..<500).contains(refused.status.code))
            }
            headers[.contentType] = "text/html"
            let (made, body) = try await client.send(
                .post, "/v1/apps/\(serve.app)/media?name=page.html", headers: headers,
                body: Self.png + page)
            #expect(made.status == .created)
            let url = try #require(try JSON(parsing: body)["url"]?.text.flatMap { URL(string: $0) })
            let (head, _) = try await client.send(.get, url.path())
            #expect(head.headerFields[.contentType] == "image/png")
            #expect(url.path().hasSuffix(".png"))
            return url.path()
        }

        @Test(arguments: MediaType.allCases)
        func mediaAreImagesSoundsOrVideos(type: MediaType) {
            #expect(type.mimeType.hasPrefix("\(type.kind.rawValue)/") && !type.mimeType.contains("xml"))
        }
    }
}
