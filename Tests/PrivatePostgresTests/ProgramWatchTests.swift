import EventLoop
import FoundationEssentials
import Glibc
import Postgres
import TestSupport
import Testing

@testable import PrivatePostgres

struct ProgramWatchTests {
    private static let here = "/bin/sh"
    private let old = ProgramFiles([Self.here])
    private let new = ProgramFiles(["/bin/ls"])
    private let start = MonotonicTime(nanoseconds: 0)

    @Test func sameProgramIsLeftAlone() {
        var watch = ProgramWatch(started: old)
        #expect(watch.found(old, at: start) == .nothing)
        #expect(watch.found(old, at: start + .seconds(3_600)) == .nothing)
    }

    @Test func replacementIsUsedOnceItNoLongerChanges() {
        var watch = ProgramWatch(started: old)
        #expect(watch.found(new, at: start) == .wait)
        #expect(watch.found(ProgramFiles([Self.here, "/bin/ls"]), at: start + .seconds(1)) == .wait)
        #expect(watch.found(new, at: start + .seconds(2)) == .wait)
        #expect(watch.found(new, at: start + .seconds(3)) == .wait)
        #expect(watch.found(new, at: start + .seconds(4)) == .restart)
    }

    @Test func removedProgramIsWaitedFor() {
        var watch = ProgramWatch(started: old)
        let none = ProgramFiles(["/bin/there-is-no-such-program"])
        for second in 0..<60 { #expect(watch.found(none, at: start + .seconds(second)) == .wait) }
        #expect(watch.found(old, at: start + .seconds(60)) == .nothing)
    }
}

extension LocalClusterTests {
    /// As an update of the package does while the server runs.
    @Test func serverWhoseProgramWasReplacedIsRestarted() async throws {
        try await withDirectory { path in
            let found = try ServerBinaries(preferring: nil)
            let programs = "\(path)-programs"
            try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: programs) }
            for name in ["postgres", "initdb"] {
                try FileManager.default.copyItem(atPath: "\(found.directory)/\(name)", toPath: "\(programs)/\(name)")
            }
            var options = options
            options.programs = programs
            let log = CapturedLog()
            let cluster = try await LocalCluster.start(directory: path, options: options, logger: log.makeLogger())
            try await TestLoop.run { loop in
                let pool = PostgresPool(cluster.configuration, on: loop, logger: quiet)
                let started: PostgresQuery = "SELECT pg_postmaster_start_time()::text"
                let before = try await pool.query(started).value(0, String.self)
                let process = try #require(cluster.serverProcess)

                try FileManager.default.copyItem(atPath: "\(programs)/postgres", toPath: "\(programs)/postgres.new")
                #expect(rename("\(programs)/postgres.new", "\(programs)/postgres") == 0)

                let end = MonotonicTime.now() + .seconds(30)
                while true {
                    try #require(.now() < end)
                    do {
                        if try await pool.query(started).value(0, String.self) != before { break }
                    } catch let error as PostgresError {
                        #expect(error.isUnavailable)
                    }
                    try await loop.sleep(for: .milliseconds(50))
                }
                #expect(cluster.serverProcess != process)
                await pool.close()
            }
            #expect(log.text.split(separator: "\n").count { $0.contains("program was replaced") } == 1)
            #expect(!log.text.contains("ended by itself"))
            await cluster.stop()
        }
    }
}
