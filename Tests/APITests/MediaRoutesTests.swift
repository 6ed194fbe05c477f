import Crypto
import HTTPTypes
import JSON
import Notifications
import Postgres
import Store
import Testing

@Suite struct MediaRoutesTests {
    /// Phones fetch media over TLS.
    private static let publicURL = "https://push.example.com/"

    private static func png(_ size: Int) -> [UInt8] {
        StubProbe.png + (0..<max(0, size - StubProbe.png.count)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    }

    /// The path of the content, as a phone would find it in a payload.
    private static func path(_ answer: Answer) throws -> String {
        let prefix = "https://push.example.com"
        #expect(answer.text("url").hasPrefix(prefix + "/media/"))
        return String(answer.text("url").dropFirst(prefix.count))
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func fileIsStoredAndServedToPhones(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport, publicURL: Self.publicURL) { api in
            let list = "/v1/apps/\(try await api.app())/media"
            let file = Self.png(300_000)

            let made = try await api.upload(file, to: list + "?name=Spring%20Sale!.PNG")

            #expect(made.status == 201)
            #expect(try made.json["content_type"] == "image/png")
            #expect(try made.json["type_hint"] == "public.png")
            #expect(try made.json["kind"] == "image")
            #expect(try made.json["size"] == 300_000)
            #expect(try made.json["sha256"] == .string(SHA256.hex(file)))
            #expect(try made.json["warnings"] == [])
            let path = try Self.path(made)
            #expect(path.hasSuffix("/spring-sale.png"))
            let got = try await api.send(.get, path, key: .some(nil))
            #expect(got.status == 200)
            #expect(got.body == file)
            #expect(got.headers[.contentType] == "image/png")
            #expect(got.headers[.cacheControl] == "public, max-age=31536000, immutable")
            let tag = try #require(got.headers[.eTag])
            let again = try await api.send(.get, path, key: .some(nil), headers: [.ifNoneMatch: tag])
            #expect(again.status == 304)

            #expect(try await api.send(.get, list).page.ids == [made.text("id")])
            let one = list + "/" + made.text("id")
            #expect(try await api.send(.get, one).body == made.body)
            #expect(try await api.send(.delete, one).status == 204)
            #expect(try await api.send(.get, path, key: .some(nil)).code == "media-not-found")
        }
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func partsAreServed(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport, publicURL: Self.publicURL) { api in
            let file = Self.png((1 << 20) + 150_000)
            let made = try await api.upload(file, to: "/v1/apps/\(try await api.app())/media")
            let path = try Self.path(made)
            // Within a slice, over slices, over pieces, to the end.
            let ranges = [0..<10, 131_000..<140_000, (1 << 20) - 5..<(1 << 20) + 5, file.count - 7..<file.count]

            for range in ranges {
                let answer = try await api.send(
                    .get, path, headers: [.range: "bytes=\(range.lowerBound)-\(range.upperBound - 1)"])
                #expect(answer.status == 206)
                #expect(answer.body == Array(file[range]))
                #expect(
                    answer.headers[.contentRange]
                        == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)")
                if transport == .live { #expect(answer.headers[.contentLength] == "\(range.count)") }
            }
            let tail = try await api.send(.get, path, headers: [.range: "bytes=-3"])
            #expect(tail.body == Array(file.suffix(3)))
            let beyond = try await api.send(.get, path, headers: [.range: "bytes=\(file.count)-"])
            #expect(beyond.status == 416)
            #expect(beyond.headers[.contentRange] == "bytes */\(file.count)")
            let other = try await api.send(.get, path, headers: [.range: "bytes=0-3", .ifRange: "\"other\""])
            #expect(other.status == 200)
            if transport == .live {
                let head = try await api.send(.head, path)
                #expect(head.headers[.contentLength] == "\(file.count)")
                #expect(head.body.isEmpty)
            }
        }
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func twelveMegabytesOfPNGAreRefusedOnTheWay(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport, publicURL: Self.publicURL) { api in
            let list = "/v1/apps/\(try await api.app())/media"

            let answer = try await api.upload(Self.png(12_000_000), to: list)

            #expect(answer.status == 413)
            #expect(answer.code == "media-too-large")
            #expect(answer.text("detail").contains("at most 10 MB"))
            #expect(try await api.send(.get, list).page.ids.isEmpty)
            let rows = try await api.pool.query("SELECT count(*) FROM media_pieces")
            #expect(try rows[0][0, as: Int.self] == 0)
        }
    }

    @Test func unsupportedFormatsAreRefusedByName() async throws {
        try await APIFixture.run(publicURL: Self.publicURL) { api in
            let list = "/v1/apps/\(try await api.app())/media"
            let cases: [([UInt8], String)] = [
                (Array("<!DOCTYPE html><html><title>404</title>".utf8), "an HTML page"),
                (Array("RIFF".utf8) + [36, 0, 0, 0] + Array("WEBPVP8 ".utf8), "a WebP image"), ([], "empty"),
            ]

            for (file, words) in cases {
                let answer = try await api.upload(file, to: list + "?name=image.png")
                #expect(answer.status == 422)
                #expect(answer.code == "media-type")
                #expect(answer.text("detail").contains(words))
            }
            #expect(try await api.send(.get, list).page.ids.isEmpty)
        }
    }

    @Test func sameContentGivesTheSameMedium() async throws {
        try await APIFixture.run(publicURL: Self.publicURL) { api in
            let list = "/v1/apps/\(try await api.app())/media"
            let other = "/v1/apps/\(try await api.app("com.example.Other"))/media"
            let file = Self.png(5_000)
            let first = try await api.upload(file, to: list + "?name=first")

            let second = try await api.upload(file, to: list + "?name=second")
            let foreign = try await api.upload(file, to: other)

            #expect(second.status == 200)
            #expect(second.body == first.body)
            #expect(foreign.status == 201)
            #expect(foreign.text("url") != first.text("url"))
        }
    }

    @Test func onlyTheWholeAddressOpens() async throws {
        try await APIFixture.run(publicURL: Self.publicURL) { api in
            let made = try await api.upload(Self.png(5_000), to: "/v1/apps/\(try await api.app())/media?name=a")
            let path = try Self.path(made)
            let parts = path.split(separator: "/").map(String.init)

            for wrong in [
                "/media/\(parts[1])/b.png", "/media/AAAAAAAAAAAAAAAAAAAAAA/a.png", "/media/x/a.png",
                "/media/\(parts[1])/..%2Fa.png",
            ] {
                #expect(try await api.send(.get, wrong, key: .some(nil)).code == "media-not-found")
            }
        }
    }

    @Test func externalFileIsProbed() async throws {
        try await APIFixture.run(publicURL: Self.publicURL) { api in
            let list = "/v1/apps/\(try await api.app())/media"
            let url: JSON = "https://cdn.example.com/image.png"

            let made = try await api.send(.post, list, ["external_url": url, "name": "Banner"])
            #expect(made.status == 201)
            #expect(try made.json["url"] == url)
            #expect(try made.json["kind"] == "image")
            #expect(try made.json["size"] == 70_000)
            #expect(try made.json["warnings"] == [])
            #expect(try await api.send(.post, list, ["external_url": url]).text("id") == made.text("id"))

            let away = try await api.send(.post, list, ["external_url": "https://cdn.example.com/away.png"])
            #expect(away.status == 201)
            #expect(try away.json["kind"] == .null)
            let warnings = try #require(try away.json["warnings"]?.elements)
            #expect(warnings.map { $0["code"] } == ["media-not-verified"])

            let refusals = [
                ("https://cdn.example.com/page.png", "external_url: media-type"),
                ("https://cdn.example.com/large.png", "external_url: media-too-large"),
                ("https://intranet.example.com/private.png", "external_url: not-public"),
                ("http://cdn.example.com/image.png", "external_url: not-https"),
            ]
            for (url, problem) in refusals {
                let answer = try await api.send(.post, list, ["external_url": .string(url)])
                #expect(answer.problems == [problem])
            }
            #expect(try await api.send(.get, list).page.ids.count == 2)
        }
    }
}

extension APIFixture {
    fileprivate func upload(_ bytes: [UInt8], to path: String) async throws -> Answer {
        try await sendBytes(.post, path, bytes, type: "application/octet-stream")
    }
}
