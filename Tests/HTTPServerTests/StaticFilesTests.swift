import EventLoop
import Foundation
import HTTPClient
import HTTPTypes
import Testing

@testable import HTTPServer

struct StaticFilesTests {
    /// A directory with a few files, next to a file that must not be reachable.
    private final class Site: Sendable {
        let base: URL
        let script = String(repeating: "let answer = 42;\n", count: 1_000)

        init() throws {
            let files = FileManager.default
            base = files.temporaryDirectory.appendingPathComponent("site-\(UUID().uuidString)")
            let root = base.appendingPathComponent("root")
            try files.createDirectory(at: root.appendingPathComponent("sub"), withIntermediateDirectories: true)
            func write(_ text: String, _ path: String) throws {
                try Data(text.utf8).write(to: base.appendingPathComponent(path))
            }
            try write("secret", "secret.txt")
            try write("<p>index</p>", "root/index.html")
            try write(script, "root/app.js")
            try write("0123456789", "root/ten.bin")
            try write("hidden", "root/.hidden")
            try write("", "root/empty.txt")
            try files.createSymbolicLink(
                at: root.appendingPathComponent("way-out.txt"),
                withDestinationURL: base.appendingPathComponent("secret.txt"))
            try files.createSymbolicLink(at: root.appendingPathComponent("up"), withDestinationURL: base)
            try files.createSymbolicLink(
                at: root.appendingPathComponent("inside.bin"),
                withDestinationURL: root.appendingPathComponent("ten.bin"))
        }

        deinit { try? FileManager.default.removeItem(at: base) }

        func router() throws -> Router {
            let files = try StaticFiles(root: base.appendingPathComponent("root").path)
            var router = Router(logger: LiveServer.quiet)
            router.setFallback { try await files.respond(to: $0) }
            return router
        }
    }

    private func get(
        _ path: String, _ headers: HTTPFields = [:], method: HTTPRequest.Method = .get,
        check: @escaping @Sendable (HTTPResponse, [UInt8], Site, HTTPClientConnection) async throws -> Void
    ) async throws {
        let site = try Site()
        try await LiveServer.run(try site.router()) { live in
            let client = try await live.client()
            let (head, body) = try await client.send(method, path, headers: headers)
            try await check(head, body, site, client)
            await client.close()
        }
    }

    @Test func fileIsServedWithTypeAndTag() async throws {
        try await get("/") { head, body, _, client in
            #expect(String(decoding: body, as: UTF8.self) == "<p>index</p>")
            #expect(head.headerFields[.contentType] == "text/html; charset=utf-8")
            let tag = try #require(head.headerFields[.eTag])
            let date = try #require(head.headerFields[.lastModified])
            for headers: HTTPFields in [
                [.ifNoneMatch: tag], [.ifNoneMatch: "\"x\", W/\(tag)"], [.ifNoneMatch: "*"], [.ifModifiedSince: date],
            ] {
                let (again, nothing) = try await client.send(.get, "/index.html", headers: headers)
                #expect(again.status == .notModified && nothing.isEmpty)
                #expect(again.headerFields[.eTag] == tag)
            }
            #expect(try await client.send(.get, "/", headers: [.ifNoneMatch: "\"x\""]).0.status == .ok)
            #expect(try await client.send(.get, "/empty.txt").0.headerFields[.contentLength] == "0")
        }
    }

    @Test(arguments: [
        "/../secret.txt", "/%2e%2e/secret.txt", "/sub/../../secret.txt", "/sub/%2e%2e/%2e%2e/secret.txt",
        "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt", "//secret.txt", "/way-out.txt", "/up/secret.txt",
        "/ten.bin%00.html", "/.hidden", "/sub", "/sub/", "/./ten.bin", "/ten.bin/", "/nothing", "/..",
        "/%5c..%5csecret.txt",
    ])
    func nothingElseIsReachable(path: String) async throws {
        try await get(path) { head, body, _, _ in
            #expect(head.status == .notFound)
            #expect(!String(decoding: body, as: UTF8.self).contains("secret\n"))
        }
    }

    @Test func linkInsideTheRootIsFollowed() async throws {
        try await get("/inside.bin") { head, body, _, _ in #expect(head.status == .ok && body.count == 10) }
    }

    @Test(
        arguments: [
            ("bytes=0-3", 206, "0123", "bytes 0-3/10"), ("bytes=8-", 206, "89", "bytes 8-9/10"),
            ("bytes=-3", 206, "789", "bytes 7-9/10"), ("bytes=-30", 206, "0123456789", "bytes 0-9/10"),
            ("bytes=9-99", 206, "9", "bytes 9-9/10"), ("bytes=10-", 416, nil, "bytes */10"),
            ("bytes=-0", 416, nil, "bytes */10"), ("bytes=3-1", 200, "0123456789", nil),
            ("bytes=0-1,3-4", 200, "0123456789", nil), ("lines=0-1", 200, "0123456789", nil),
            ("bytes=-", 200, "0123456789", nil),
        ] as [(String, Int, String?, String?)])
    func rangesAreServed(field: String, status: Int, text: String?, contentRange: String?) async throws {
        try await get("/ten.bin", [.range: field]) { head, body, _, _ in
            #expect(head.status.code == status)
            if let text { #expect(String(decoding: body, as: UTF8.self) == text) }
            #expect(head.headerFields[.contentRange] == contentRange)
        }
    }

    @Test func ifRangeDecidesWhetherTheRangeApplies() async throws {
        try await get("/ten.bin") { head, _, _, client in
            let tag = try #require(head.headerFields[.eTag])
            for (condition, status) in [(tag, 206), ("W/" + tag, 200), ("\"old\"", 200)] {
                let (answer, _) = try await client.send(
                    .get, "/ten.bin", headers: [.range: "bytes=0-1", .ifRange: condition])
                #expect(answer.status.code == status)
            }
        }
    }

    @Test func textIsCompressedForClientsThatAcceptGzip() async throws {
        try await get("/app.js", [.acceptEncoding: "br, gzip;q=0.5"]) { head, body, site, client in
            #expect(head.headerFields[.contentEncoding] == "gzip")
            #expect(head.headerFields[.vary] == "Accept-Encoding")
            #expect(body.prefix(2) == [0x1f, 0x8b] && body.count < 1_000)
            let tag = try #require(head.headerFields[.eTag])
            let (plain, text) = try await client.send(.get, "/app.js", headers: [.acceptEncoding: "gzip;q=0"])
            #expect(String(decoding: text, as: UTF8.self) == site.script)
            #expect(plain.headerFields[.contentEncoding] == nil)
            #expect(plain.headerFields[.vary] == "Accept-Encoding" && plain.headerFields[.eTag] != tag)
            let (same, _) = try await client.send(
                .get, "/app.js", headers: [.acceptEncoding: "gzip", .ifNoneMatch: tag])
            #expect(same.status == .notModified)
        }
    }

    @Test func headResponseForAFileHasItsLength() async throws {
        try await get("/ten.bin", method: .head) { head, body, _, _ in
            #expect(head.headerFields[.contentLength] == "10" && body.isEmpty)
        }
    }

    @Test func compressedCacheForgetsTheLeastRecentlyUsed() {
        var cache = CompressedCache(maximumBytes: 10)
        cache.add("a", tag: "1", [UInt8](repeating: 0, count: 5))
        cache.add("b", tag: "1", [UInt8](repeating: 0, count: 5))
        _ = cache.find("a", tag: "1")
        cache.add("c", tag: "1", [0])
        #expect(cache.find("a", tag: "1") != nil && cache.find("b", tag: "1") == nil)
        #expect(cache.byteCount == 6)
        cache.add("d", tag: "1", [UInt8](repeating: 0, count: 11))
        #expect(cache.find("d", tag: "1") == nil)
        #expect(cache.find("a", tag: "2") == nil)
    }

    @Test func acceptEncodingIsParsed() {
        for field in ["gzip", "GZIP", "br, gzip", "*", "gzip;q=0.1", "x-gzip"] {
            #expect(AcceptEncoding.allowsGzip(field))
        }
        for field in ["", "br", "gzip;q=0", "gzip; q=0.000", "*;q=0", "identity", "*, gzip;q=0"] {
            #expect(!AcceptEncoding.allowsGzip(field))
        }
    }
}
