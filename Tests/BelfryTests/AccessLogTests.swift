import EventLoop
import Foundation
import HTTPClient
import HTTPTypes
import JSON
import Logging
import TestSupport
import Testing

@testable import Belfry
@testable import HTTPServer

struct AccessLogTests {
    private func record(caller: String? = nil) throws -> AccessRecord {
        var response = Response(status: .notFound)
        response.caller = caller
        return AccessRecord(
            nil, response, method: .get, from: .loopback(port: 1), bytes: 7, duration: .microseconds(1_234_056))
    }

    @Test func aLineIsAnObjectOfJSON() throws {
        var line = AccessLogLine()
        var bytes: [UInt8] = []
        line.append(try record(caller: "a\"\\\n"), to: &bytes)
        #expect(bytes.last == UInt8(ascii: "\n"))
        let json = try JSON(parsing: Array(bytes.dropLast()))
        #expect(json["method"]?.text == "GET" && json["status"]?.int == 404 && json["bytes"]?.int == 7)
        #expect(json["caller"]?.text == "a\"\\?" && json["route"] == .null && json["request"] == .null)
        #expect(json["client"]?.text == "127.0.0.1")
        #expect(String(decoding: bytes, as: UTF8.self).contains("\"milliseconds\":1234.056,"))
    }

    @Test func linesBeyondTheBufferAreDroppedAndCounted() throws {
        var buffer = AccessLog.Buffer(limit: 10)
        for _ in 0..<3 { buffer.append(try record()) }
        let (bytes, dropped) = buffer.take()
        #expect(bytes.filter { $0 == UInt8(ascii: "\n") }.count == 1 && dropped == 2)
        #expect(buffer.take().bytes.isEmpty && buffer.dropped == 0)
    }

    @Test func linesGoToTheFileAndAfterARotationToANewOne() async throws {
        try await ScratchFolder.with { folder in
            let path = folder.appending(path: "access.log").path
            let log = try AccessLog(path: path, logger: Logger(label: "test"))
            async let running: Void = log.run()
            func lines() throws -> Int {
                try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count
            }
            log.add(try record())
            while try lines() < 1 { await Task.yield() }
            try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
            log.add(try record())
            log.add(try record())
            log.stop()
            await running
            #expect(try lines() == 2)
        }
    }

    @Test func aFileThatCantBeWrittenRefusesTheStart() {
        let error = #expect(throws: CommandFailure.self) {
            try AccessLog(path: "/nonexistent/access.log", logger: Logger(label: "test"))
        }
        #expect(
            error?.description.hasPrefix("Can't write the access log /nonexistent/access.log: No such file") == true)
    }
}

extension BelfrySuite {
    struct AccessLogProcessTests {
        @Test func aServerWritesALinePerRequest() async throws {
            try await ScratchFolder.with { folder in
                let path = folder.appending(path: "access.log").path
                try await ServeFixture.with(in: folder, environment: ["BELFRY_ACCESS_LOG": path]) { serve in
                    _ = try await serve.send(.get, "/campaigns", nil)
                }
                let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
                let line = try JSON(parsing: Array(try #require(lines.last).utf8))
                #expect(lines.count == 1 && line["route"]?.text == "/v1/apps/{app}/campaigns")
            }
        }
    }
}
