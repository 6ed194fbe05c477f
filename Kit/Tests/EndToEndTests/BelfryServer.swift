import Foundation
import Testing

@testable import BelfryCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `belfry serve` with a PostgreSQL of its own, and `belfry simulate` as Apple.
struct BelfryServer {
    /// The built program; the tests that need it are disabled without it.
    static let executable = ProcessInfo.processInfo.environment["BELFRY_EXECUTABLE"]
    /// The migrations are read from there.
    static let repository = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized

    let api: URL
    let publishableKey: String
    let apple: ServerProcess
    private let faults: URL
    private let secret: BelfryConfiguration
    private let transport = URLSessionTransport()

    /// In memory where there is some: 2,000 phones write 20,000 files, each to the disk.
    private static let scratch =
        FileManager.default.isWritableFile(atPath: "/dev/shm")
        ? URL(fileURLWithPath: "/dev/shm") : FileManager.default.temporaryDirectory

    /// The folder is for the phones, and is removed.
    static func with(_ body: (BelfryServer, URL) async throws -> Void) async throws {
        let folder = scratch.appendingPathComponent("belfry-kit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = try #require(executable)
        func belfry(_ arguments: [String]) async throws -> ServerProcess {
            try await ServerProcess(arguments, program: program, in: folder, directory: repository)
        }
        let keys = folder.appendingPathComponent("apple").path
        let apple = try await belfry(
            [
                "simulate", "--port", "0", "--http-port", "0", "--directory", keys, "--show", "--bundle-id",
                "com.example.x",
            ])
        defer { apple.send(SIGKILL) }
        let lines = try await apple.output { $0.contains("/pushes\n") }.split(separator: "\n")
        let port = try #require(
            lines.first { $0.contains("listening on") }?.dropLast().split(separator: ":").last)
        let faults = try #require(
            lines.last { $0.hasSuffix("/pushes") }?.split(separator: " ").last
                .flatMap { URL(string: $0.replacingOccurrences(of: "/pushes", with: "/faults")) })
        let database = ["--private-database", "--state", folder.appendingPathComponent("state").path]
        let serve = try await belfry(
            ["serve", "--port", "0", "--rate-limit-address", "0", "--rate-limit-key", "0"] + database
                + ["--apns-host", "localhost", "--apns-port", String(port), "--apns-ca-file", "\(keys)/ca.pem"])
        let address = try #require(
            try await serve.output { $0.contains("/#set-up=") }.split(separator: "\n")
                .first { $0.contains("/#set-up=") }?.split(separator: "/").dropLast().last)
        let result = await Result.of {
            func output(_ arguments: [String]) async throws -> String {
                try await belfry(arguments + database).ending().trimmingCharacters(in: .whitespacesAndNewlines)
            }
            let made = try await output([
                "app", "create", "--name", "x", "--bundle-id", "com.example.x", "--p8",
                "\(keys)/AuthKey_SIMULATOR1.p8", "--key-id", "SIMULATOR1", "--team-id", "SIMULATED1",
            ])
            let app = try #require(made.split(separator: " ").dropFirst().first)
            let api = try #require(URL(string: "http://\(address)/v1/apps/\(app)"))
            let secret = try await output(["key", "create", "--name", "x"])
            let publishable = try await output([
                "key", "create", "--name", "phones", "--app", String(app), "--kind", "publishable",
            ])
            let server = BelfryServer(
                api: api, publishableKey: publishable, apple: apple, faults: faults,
                secret: BelfryConfiguration(api: api, publishableKey: secret))
            try await body(server, folder)
        }
        // Not killed: it stops its PostgreSQL.
        serve.send(SIGTERM)
        _ = try await serve.ending()
        try result.get()
    }

    var configuration: BelfryConfiguration { BelfryConfiguration(api: api, publishableKey: publishableKey) }

    /// A request with the secret key, as the app's server sends it.
    @discardableResult
    func send(
        _ method: String, _ path: String..., query: [String: String] = [:], body: JSONValue? = nil
    ) async throws -> JSONValue {
        let answer = try await answer(
            secret.request(
                method, path, query: query.map { ($0.key, $0.value) },
                body: try body.map { try JSONEncoder().encode($0) }))
        return answer.body.isEmpty ? .null : try JSONDecoder().decode(JSONValue.self, from: answer.body)
    }

    /// The rows of a file.
    func rows(_ path: String..., query: [String: String]) async throws -> [JSONValue] {
        let answer = try await answer(
            secret.request("GET", path, query: query.map { ($0.key, $0.value) } + [("format", "ndjson")]))
        return try answer.body.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(JSONValue.self, from: Data($0))
        }
    }

    /// All entries of a list, page by page.
    func list(_ path: String) async throws -> [JSONValue] {
        var entries: [JSONValue] = []
        var cursor: String?
        repeat {
            var query = ["limit": "200"]
            query["cursor"] = cursor
            let page = try await send("GET", path, query: query)
            entries += page["data"]?.elements ?? []
            cursor = page["next_cursor"]?.string
        } while cursor != nil
        return entries
    }

    private func answer(_ request: URLRequest) async throws -> TransportResult.Answer {
        let result = await transport.send(request)
        let words = "\(request.httpMethod ?? "") \(request.url?.path ?? "")"
        guard case .answer(let answer) = result else { throw Refused(description: "\(words): \(result)") }
        guard (200..<300).contains(answer.status) else {
            throw Refused(description: "\(words): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        return answer
    }

    private struct Refused: Error, CustomStringConvertible { let description: String }

    /// From now on Apple answers 410 to these phones, and to no others.
    func unregister(_ phones: [Phone]) async throws {
        var rules: [JSONValue] = []
        for phone in phones {
            rules.append(
                .object([
                    "fault": .string("answer"), "status": .integer(410), "reason": .string("Unregistered"),
                    "token": .string(try #require(DeviceToken(await phone.token)).hexadecimal),
                ]))
        }
        var request = URLRequest(url: faults)
        request.httpMethod = "PUT"
        request.httpBody = try JSONEncoder().encode(JSONValue.object(["rules": .array(rules)]))
        _ = try await answer(request)
    }

    /// Starts a campaign, and returns its run when it has ended.
    func run(_ campaign: JSONValue) async throws -> JSONValue {
        let made = try await send("POST", "campaigns", body: campaign)
        let started = try await send("POST", "campaigns", try #require(made["id"]?.string), "start")
        return try await ended(run: try #require(started["id"]?.string))
    }

    /// The run with its ledger, when all recipients have an outcome and the recount is done.
    func ended(run: String) async throws -> JSONValue {
        let request = secret.request("GET", ["runs", run, "progress"])
        while true {
            // The stream ends with the run.
            _ = await transport.send(request)
            let run = try await send("GET", "runs", run)
            if run["verified_at"]?.string != nil { return run }
            try await Task.sleep(nanoseconds: 20_000_000)
        }
    }
}

extension JSONValue {
    subscript(_ member: String) -> JSONValue? { object?[member] }

    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    /// The number, also of a whole one.
    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
}

extension Result where Failure == any Error {
    static func of(_ body: () async throws -> Success) async -> Self {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
