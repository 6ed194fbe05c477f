import EventLoop
import Foundation
import Logging
import Postgres
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    /// How commands start and which signals they survive.
    struct StartTests {
        @Test(arguments: [
            ["work"], ["key", "list"], ["user", "list"],
            ["app", "create", "--name", "x", "--bundle-id", "com.example.x"],
            ["migrate"], ["audit", "verify"], ["analyst-role", "ada"], ["sealing-key", "list"],
        ])
        func commandWithoutADatabaseMakesNone(_ command: [String]) async throws {
            try await ScratchFolder.with { folder in
                let ending = try await BelfryProcess(command, in: folder, capturesErrors: true).ending()
                #expect(ending.status != 0 && ending.output.contains("--private-database"), "\(ending.output)")
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "var").path))
            }
        }

        @Test func misspelledVariableEndsACommand() async throws {
            try await ScratchFolder.with { folder in
                let ending = try await BelfryProcess(
                    ["serve"], in: folder, environment: ["BELFRY_PROT": "80"], capturesErrors: true
                ).ending()
                #expect(ending.status != 0 && ending.output.contains("did you mean BELFRY_PORT?"))
            }
        }

        @Test func migrationsNeedNeitherSealingKeyNorFilesOfAPNs() async throws {
            try await ScratchFolder.with { folder in
                let ending = try await BelfryProcess(
                    ["migrate", "--private-database"], in: folder,
                    environment: ["BELFRY_APNS_HOST": "simulator", "BELFRY_APNS_CA_FILE": "/nothing/ca.pem"],
                    capturesErrors: true
                ).ending()
                #expect(ending.status == 0 && ending.output.contains("The schema is at migration"))
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "var/sealing.key").path))
            }
        }

        @Test func passwordInAFlagIsWarnedOf() async throws {
            try await ScratchFolder.with { folder in
                let ending = try await BelfryProcess(
                    ["key", "list", "--database-url", "postgres://ada:hunter2@127.0.0.1:1/x"], in: folder,
                    capturesErrors: true
                ).ending()
                #expect(ending.output.contains("warning database password on the command line reason="))
                #expect(!ending.output.contains("hunter2"))
            }
        }

        /// A closed terminal, and what `systemctl reload` and tools for rotating logs send.
        @Test(
            arguments: [
                (["serve", "--port", "0"], " serving"), (["work", "--private-database"], " working"),
                (["simulate", "--port", "0"], "signing key"),
            ])
        func signalsOtherThanTheEndAreIgnored(_ command: [String], _ started: String) async throws {
            try await ScratchFolder.with { folder in
                let process = try await BelfryProcess(command, in: folder, capturesErrors: true)
                _ = try await process.output(until: started)
                for (signal, name) in [(SIGHUP, "SIGHUP"), (SIGUSR1, "SIGUSR1"), (SIGUSR2, "SIGUSR2")] {
                    process.send(signal)
                    _ = try await process.output(until: "signal=\(name)")
                }
                process.send(SIGTERM)
                #expect(try await process.ending().status == 0)
            }
        }
    }
}
