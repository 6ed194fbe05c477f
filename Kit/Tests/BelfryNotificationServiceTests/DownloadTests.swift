import BelfryCore
import Foundation
import KitTestSupport
import Testing

@testable import BelfryNotificationService

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Downloads over a real connection.
@Suite(.timeLimit(.minutes(1))) struct DownloadTests {
    private let jpeg = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 1_000)

    @Test func redirectedFileIsShown() async throws {
        try await Phone.with { phone in
            let target = try SocketServer(answer(["Content-Length: \(jpeg.count)"], jpeg))
            let moved = answer(
                ["Location: http://127.0.0.1:\(target.port)/c", "Content-Length: 0"], [], status: "302 Found")
            let server = try SocketServer(moved)

            phone.receive(attachment(server, "a.jpg"), try service(phone))

            let shown = try await phone.next()
            #expect(shown.files.map(\.pathExtension) == ["jpg"])
            #expect(try shown.files.map { try Data(contentsOf: $0) } == [Data(jpeg)])
        }
    }

    @Test func endlessAnswerWithoutALengthIsCutAtTheLimit() async throws {
        try await Phone.with { phone in
            // A chunk of 1,000,004 bytes, again and again: each begins like an image, as the first one must.
            let piece = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 1_000_000)
            let chunk = Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
            let server = try SocketServer(
                Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8), then: chunk, times: 1_000)

            phone.receive(attachment(server, "a.jpg"), try service(phone))

            // Foundation on Linux sometimes keeps the connection of a cancelled task open, so its end is not waited for.
            #expect(try await phone.next().files == [])
            #expect(phone.files == [])
        }
    }

    @Test func fileThatBreaksOffIsNotShown() async throws {
        try await Phone.with { phone in
            let server = try SocketServer(answer(["Content-Length: \(jpeg.count + 1)"], jpeg))
            let service = try service(phone)

            phone.receive(attachment(server, "a.jpg"), service)

            #expect(try await phone.next().files == [])
            #expect(phone.files == [])
            #expect(service.codes == ["attachment-not-shown"])
        }
    }

    @Test func serverThatStallsIsGivenUpBeforeIOSAsks() async throws {
        try await Phone.with { phone in
            let server = try SocketServer(answer(["Content-Length: 5000"], jpeg), keepsOpen: true)
            let service = try service(phone)
            // All but the last second is over when the download starts.
            let uptimes = Guarded<[TimeInterval]>([0])
            service.tools.uptime = { uptimes.withLock { $0.popLast() } ?? ServiceTime.total - ServiceTime.reserve - 1 }

            phone.receive(attachment(server, "a.jpg"), service)

            #expect(try await phone.next() == Phone.Shown(body: "As it came", files: []))
            await server.ends.wait(for: .closedByClient)
            #expect(phone.files == [])
        }
    }

    private func service(_ phone: Phone) throws -> TestService {
        let service = try phone.service()
        service.tools.session = { .ephemeral }
        return service
    }

    private func attachment(_ server: SocketServer, _ name: String) -> [AnyHashable: Any] {
        ["attachment-url": "http://127.0.0.1:\(server.port)/\(name)"]
    }

    private func answer(_ headers: [String], _ body: [UInt8], status: String = "200 OK") -> [UInt8] {
        Array((["HTTP/1.1 \(status)"] + headers + ["Connection: close", "", ""]).joined(separator: "\r\n").utf8) + body
    }
}
