import EventLoop
import Foundation
import JSON
import Logging
import Postgres
import PrivatePostgres
import TestSupport
import Testing

@testable import Belfry

/// A database with an app, its key, and a simulated Apple that knows this key.
struct DoctorFixture {
    struct Line: CustomStringConvertible {
        let check, level, message: String
        let remedy: String?

        var description: String { "\(level) \(check): \(message)" }
    }

    /// What `belfry doctor --json` printed.
    struct Report {
        let status: Int32
        let findings: [Line]

        func level(_ check: String) -> String? { findings.first { $0.check == check }?.level }
        func text(_ check: String) -> String? { findings.first { $0.check == check }?.message }
    }

    let folder: URL
    let state: URL
    private let apple: SimulatedApple
    private let cluster: LocalCluster

    static func with(_ body: (DoctorFixture) async throws -> Void) async throws {
        try await ScratchFolder.with { folder in
            let apple = try await SimulatedApple(in: folder)
            let cluster = try await LocalCluster.start(
                directory: folder.appending(path: "postgres").path, logger: Logger(label: "test"))
            let fixture = DoctorFixture(
                folder: folder, state: folder.appending(path: "var"), apple: apple, cluster: cluster)
            let result: Result<Void, any Error>
            do {
                try await fixture.addApp()
                try await body(fixture)
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await cluster.stop()
            apple.process.send(SIGTERM)
            _ = try await apple.process.ending()
            try result.get()
        }
    }

    /// Adds an app with the simulator's key.
    func addApp(teamID: String = Simulate.teamID) async throws {
        let name = teamID == Simulate.teamID ? "x" : "y"
        let made = try await belfry(
            ["app", "create", "--name", name, "--bundle-id", "com.example.\(name)"] + apple.credential.dropLast()
                + [teamID])
        #expect(made.status == 0, "\(made)")
    }

    func doctor(
        _ flags: [String] = [], apns: [String]? = nil, environment: [String: String] = [:]
    ) async throws -> Report {
        let ending = try await belfry(["doctor", "--json"] + flags + (apns ?? apple.serve), environment)
        let json = try JSON(parsing: ending.output)
        let findings = try #require(json["findings"]).elements.map { finding in
            Line(
                check: finding["check"]?.text ?? "", level: finding["level"]?.text ?? "",
                message: finding["message"]?.text ?? "", remedy: finding["remedy"]?.text)
        }
        return Report(status: ending.status, findings: findings)
    }

    /// The text for people.
    func run(_ flags: [String]) async throws -> BelfryProcess.Ending {
        try await belfry(["doctor"] + flags + apple.serve)
    }

    private func belfry(_ arguments: [String], _ more: [String: String] = [:]) async throws -> BelfryProcess.Ending {
        try await BelfryProcess(
            arguments, in: folder, environment: ["DATABASE_URL": cluster.url].merging(more) { $1 }
        ).ending()
    }

    /// Flags with the files of a certificate.
    func certificate(days: Int) throws -> [String] {
        let (chain, key) = try Certificates().issue(.days(days))
        let (chainFile, keyFile) = (folder.appending(path: "cert.pem").path, folder.appending(path: "key.pem").path)
        try TextFile.write(chain, to: chainFile)
        try TextFile.write(key, to: keyFile, isSecret: true)
        return ["--tls-certificate", chainFile, "--tls-key", keyFile]
    }

    func execute(_ statement: PostgresQuery) async throws {
        _ = try await connected { try await $0.execute(statement) }
    }

    /// The rows of all tables that were inserted, changed and deleted so far.
    func rows() async throws -> [Int64] {
        try await connected { connection in
            // Sessions that have ended have told what they did.
            let rows = try await connection.query(
                """
                SELECT coalesce(sum(n_tup_ins), 0)::int8, coalesce(sum(n_tup_upd), 0)::int8,
                    coalesce(sum(n_tup_del), 0)::int8, (SELECT count(*) FROM pg_class)
                FROM pg_stat_user_tables
                """)
            return [try rows[0][0], try rows[0][1], try rows[0][2], try rows[0][3]]
        }
    }

    private func connected<Value: Sendable>(
        _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        let loop = try EventLoop(name: "fixture")
        defer { loop.stop() }
        let connection = try await PostgresConnection.connect(
            cluster.configuration, on: loop, logger: Logger(label: "test"))
        let value = try await body(connection)
        await connection.close()
        return value
    }
}
