import HTTPTypes
import Testing

@testable import HTTPServer

struct RequestParserTests {
    /// Parses the bytes in several divisions, which must all give the same events.
    private func parse(_ text: String, limits: RequestLimits = RequestLimits()) -> [Parsed] {
        let whole = ParserFeed.whole(text, limits: limits)
        #expect(ParserFeed.byteByByte(text, limits: limits) == whole)
        #expect(ParserFeed.wholeBodies(text, limits: limits) == whole)
        for _ in 0..<20 { #expect(ParserFeed.randomly(text, limits: limits) == whole) }
        return whole
    }

    private func status(_ text: String, limits: RequestLimits = RequestLimits()) -> Int? {
        for case .refused(let status, _) in parse(text, limits: limits) { return status }
        return nil
    }

    private func head(_ text: String) throws -> RequestHead {
        guard case .head(let head) = parse(text).first else {
            throw HTTPError.malformed("\(parse(text))")
        }
        return head
    }

    // MARK: Valid requests

    @Test func requestWithoutBodyIsHeadAndEnd() throws {
        let events = parse("GET /v1/apps?limit=10 HTTP/1.1\r\nHost: example.org:8080\r\nAccept:\t*/* \r\nX-A: \r\n\r\n")

        guard case .head(let head) = events.first else { throw HTTPError.malformed("no head") }
        #expect(events.count == 2 && events[1] == .end)
        #expect(head.request.method == .get)
        #expect(head.request.path == "/v1/apps?limit=10")
        #expect(head.request.authority == "example.org:8080")
        #expect(head.request.headerFields[.accept] == "*/*")
        #expect(head.request.headerFields[HTTPField.Name("x-a")!] == "")
        #expect(head.framing == .none)
    }

    @Test func bodiesAreFramedByLengthOrChunks() {
        let length = parse("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
        let chunks = parse(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "3;name=\"v\"\r\nhel\r\n0002\r\nlo\r\n0\r\nChecksum: 1\r\n\r\n")

        #expect(length.dropFirst() == [.body("hello"), .end])
        #expect(chunks.dropFirst() == [.body("hello"), .end])
    }

    @Test func incompleteBodyIsNotTakenAsAWhole() {
        var parser = RequestParser(limits: RequestLimits())
        Array("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhell".utf8).withUnsafeBytes { parser.append($0) }
        guard case .head = parser.next() else { return #expect(Bool(false), "a head comes first") }
        #expect(parser.takeWholeBody() == nil)
        #expect(parser.next() == .body(Array("hell".utf8)))
        #expect(parser.takeWholeBody() == nil)
        Array("oGET".utf8).withUnsafeBytes { parser.append($0) }
        #expect(parser.takeWholeBody() == Array("o".utf8))
        #expect(parser.bufferedBytes == 3)
    }

    @Test func pipelinedRequestsFollowEachOther() {
        let one = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
        let two = "POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"
        let three = "\r\nGET /c HTTP/1.1\r\nHost: a\r\n\r\n"

        let events = parse(one + two + three)

        #expect(events.filter { $0 == .end }.count == 3)
        #expect(events.filter { if case .head = $0 { true } else { false } }.count == 3)
    }

    @Test func absoluteTargetReplacesHost() throws {
        let head = try head("GET http://b.example/x?y HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(head.request.authority == "b.example")
        #expect(head.request.path == "/x?y")
        #expect(try self.head("GET http://b?y HTTP/1.1\r\nHost: a\r\n\r\n").request.path == "/?y")
    }

    @Test func connectionOptionsAndVersionDecideWhetherToClose() throws {
        #expect(try !head("GET / HTTP/1.1\r\nHost: a\r\n\r\n").wantsClose)
        #expect(try head("GET / HTTP/1.1\r\nHost: a\r\nConnection: te, CLOSE\r\n\r\n").wantsClose)
        #expect(try head("GET / HTTP/1.0\r\n\r\n").wantsClose)
    }

    @Test func valuesMayContainBytesAboveASCII() throws {
        #expect(try head("GET / HTTP/1.1\r\nHost: a\r\nUser-Agent: 张\r\n\r\n").request.headerFields[.userAgent] == "张")
    }

    // MARK: Invalid requests

    @Test(arguments: [
        // Framing that two servers might interpret differently
        "Content-Length: 5\r\nTransfer-Encoding: chunked", "Content-Length: 5\r\nContent-Length: 5",
        "Content-Length: 5, 5", "Content-Length: +5", "Content-Length: -5", "Content-Length: 5 5",
        "Content-Length: 0x5", "Content-Length:", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        // Bare CR, LF and other controls
        "X-A: a\rb", "X-A: a\nX-B: b", "X-A: a\u{0}b", "X-A: a\u{1}b", "X-A: a\u{7f}b", "X\u{0}A: a",
        // Folded lines, and blanks in names
        "X-A: a\r\n b", "X-A: a\r\n\tb", "X-A : a", " X-A: a", ": a", "X-A", "X(A): a",
        // Host
        "Host: b", "host: a",
    ])
    func malformedFieldIsA400(field: String) {
        #expect(status("POST / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\nhello") == 400)
    }

    @Test(arguments: ["", "a b", "a/b", "a@b", "a:", "a:x", "a:65536", "[::1", "[]", "[g::]", ":80", "a,b", "a:1:2"])
    func invalidHostIsA400(host: String) {
        let expected: Int? = host == "a:" ? nil : 400
        #expect(status("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") == expected)
    }

    @Test(arguments: ["a", "a.example:80", "127.0.0.1:1", "[::1]:8080", "[fe80::1]", "a_b-c", "a:65535"])
    func validHostIsAccepted(host: String) throws {
        #expect(try head("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").request.authority == host)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
        ("GET /\r\nHost: a\r\n\r\n", 400),
        ("G(T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /\u{e4} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / http/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\nHost: a\r\n\r\n", 400),
        ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        ("GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505),
        ("PRI * HTTP/2.0\r\n\r\n", 505),
        ("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n", 501),
        ("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999999999999\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: something\r\n\r\n", 417),
    ])
    func badHeadIsRejected(text: String, expected: Int) {
        #expect(status(text) == expected)
    }

    @Test(arguments: [
        "\r\n", "g\r\n", "-1\r\n", " 1\r\nx\r\n", "1 \r\nx\r\n", "0x1\r\nx\r\n", "1\nx\r\n", "1\r\nxy\r\n", "1\r\nx\n",
        "1;a=\u{1}\r\n", "1000000000000000\r\n", "fffffffffffffffff\r\n", "0\r\nA : b\r\n\r\n", "0\r\n a\r\n\r\n",
    ])
    func malformedChunkIsA400(body: String) {
        #expect(status("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body) == 400)
    }

    @Test func parserStopsAfterAnInvalidRequest() {
        let events = parse("BAD\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(events == [.refused(400, "malformed_request")])
    }

    // MARK: Limits, at them and one past

    @Test func requestLineLimit() {
        let limit = RequestLimits().requestLineBytes
        func request(_ length: Int) -> String {
            let fixed = "GET / HTTP/1.1".utf8.count
            return "GET /\(String(repeating: "a", count: length - fixed)) HTTP/1.1\r\nHost: a\r\n\r\n"
        }
        #expect(status(request(limit)) == nil)
        #expect(status(request(limit + 1)) == 414)
        #expect(status(String(repeating: "a", count: limit + 2)) == 414)
    }

    @Test func headerBytesLimit() {
        let limit = RequestLimits().headerBytes
        func request(_ length: Int) -> String {
            let fixed = "Host: a\r\nX: \r\n".utf8.count
            return "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: length - fixed))\r\n\r\n"
        }
        #expect(status(request(limit)) == nil)
        #expect(status(request(limit + 1)) == 431)
    }

    @Test func headerCountLimit() {
        let limit = RequestLimits().headerFields
        func request(_ count: Int) -> String {
            "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: a\r\n", count: count - 1) + "\r\n"
        }
        #expect(status(request(limit)) == nil)
        #expect(status(request(limit + 1)) == 431)
    }

    @Test func chunkLineAndTrailerLimits() {
        let limits = RequestLimits()
        func request(_ rest: String) -> String {
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + rest
        }
        func extended(_ length: Int) -> String {
            "1;" + String(repeating: "a", count: length - 2) + "\r\nx\r\n0\r\n\r\n"
        }
        func trailers(_ length: Int) -> String {
            "0\r\nX: " + String(repeating: "a", count: length - 5) + "\r\n\r\n"
        }
        #expect(status(request(extended(limits.chunkLineBytes))) == nil)
        #expect(status(request(extended(limits.chunkLineBytes + 1))) == 400)
        #expect(status(request(trailers(limits.trailerBytes))) == nil)
        #expect(status(request(trailers(limits.trailerBytes + 1))) == 431)
        #expect(status(request("fffffffffffffff\r\nx")) == nil)
    }

    @Test func noBytesMakeTheParserTrap() {
        let alphabet = Array(
            "GET POST/ HTTP/1.1\r\n: \tHostContent-LengthTransfer-Encodingchunked0123456789abc;\u{0}".utf8)
        for _ in 0..<2_000 {
            let noise = (0..<Int.random(in: 1...200)).map { _ in alphabet.randomElement()! }
            let text = "GET / HTTP/1.1\r\nHost: a\r\n" + String(decoding: noise, as: UTF8.self)
            #expect(ParserFeed.whole(text) == ParserFeed.byteByByte(text))
        }
    }
}
