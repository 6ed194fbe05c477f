import Belfry
import EventLoop
import Foundation
import Postgres

/// Copies all events with psql into a table with the same indexes and rules: what PostgreSQL can store at most, without
/// checks of message ids, look-ups and counts.
struct EventCopy {
    let pool: PostgresPool
    let url: String
    let folder: String

    /// Rows per second.
    @concurrent
    func rate() async throws -> Double {
        let file = "\(folder)/events.copy"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try psql("\\copy (SELECT * FROM events) TO '\(file)' (FORMAT binary)")
        try await pool.execute("CREATE TABLE copied_events (LIKE events INCLUDING ALL)")
        let rows: Int = try await pool.query("SELECT count(*) FROM events", deadline: .seconds(60))[0][0]
        try await pool.execute("CHECKPOINT", deadline: .seconds(60))
        let began = MonotonicTime.now()
        try psql("\\copy copied_events FROM '\(file)' (FORMAT binary)")
        return Double(rows) / (.now() - began).seconds
    }

    private func psql(_ command: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["psql", "-qX", "-v", "ON_ERROR_STOP=1", url, "-c", command]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CommandFailure("psql can't copy the events") }
    }
}
