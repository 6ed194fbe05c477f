import Foundation
import JSON
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    struct UserCommandTests {
        @Test func peopleAreAddedListedAndDisabledOnTheConsole() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder, capturesErrors: true) { server in
                    // Nobody is there at first, so the server says how to create the first admin.
                    #expect(try await server.process.output(until: "#set-up=").contains("\(server.url)/#set-up="))
                    func output(_ arguments: [String], fails: Bool = false) async throws -> String {
                        let ending = try await server.command(["user"] + arguments).ending()
                        #expect((ending.status != 0) == fails, "\(arguments): \(ending)")
                        return ending.output
                    }
                    let file = folder.appending(path: "password").path
                    try Data("three bells at noon\n".utf8).write(to: URL(filePath: file))
                    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
                    let added = try await output([
                        "add", "Mina@example.com", "--role", "admin", "--password-file", file,
                    ])
                    #expect(added == "mina@example.com added as admin of all apps.\n")
                    let invited = try await output(["add", "ada@example.com", "--role", "sender", "--app", server.app])
                    #expect(invited.contains("added as sender of app 1.") && invited.contains("/#password="))
                    _ = try await output(["add", "mina@example.com", "--role", "viewer"], fails: true)
                    _ = try await output(["add", "x@example.com", "--role", "boss"], fails: true)
                    _ = try await output(
                        ["add", "x@example.com", "--role", "viewer", "--password", "password123"], fails: true)
                    _ = try await output(["disable", "nobody@example.com"], fails: true)
                    _ = try await output(["disable", "mina@example.com"], fails: true)  // The last admin.

                    #expect(try await Self.status(signingInAt: server.url, "three bells at noon") == 200)
                    #expect(
                        try await output(["passwd", "mina@example.com", "--password", "four bells at night"])
                            == "The password of mina@example.com is changed.\n")
                    #expect(try await Self.status(signingInAt: server.url, "three bells at noon") == 401)
                    #expect(try await Self.status(signingInAt: server.url, "four bells at night") == 200)
                    #expect(try await output(["disable", "ada@example.com"]).contains("can't sign in any more"))
                    let lines = try await output(["list"]).split(separator: "\n")
                    #expect(lines.count == 3 && lines[0].hasPrefix("ID    STATE"))
                    #expect(lines[1].contains("disabled     ada@example.com") && lines[1].hasSuffix(" sender of app 1"))
                    #expect(lines[2].contains("active       mina@example.com") && lines[2].hasSuffix(" admin"))

                    let audit = try await server.command(["audit", "verify"]).ending()
                    #expect(audit.status == 0 && audit.output.contains(" records are intact, from 1 to "))
                    let note = ["audit", "verify", "--record", "1", "--hash", String(repeating: "0", count: 64)]
                    #expect(try await server.command(note).ending().status != 0)

                    try await server.killAndStartAgain()
                    let again = try server.serverOutput()
                    #expect(!again.contains("#set-up="))
                }
            }
        }

        @Test func settingsCreateTheFirstAdmin() async throws {
            try await ScratchFolder.with { folder in
                let file = folder.appending(path: "password").path
                try Data("three bells at noon".utf8).write(to: URL(filePath: file))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
                let environment = ["BELFRY_ADMIN_EMAIL": "mina@example.com", "BELFRY_ADMIN_PASSWORD_FILE": file]
                try await ServeFixture.with(in: folder, environment: environment) { server in
                    #expect(try await Self.status(signingInAt: server.url, "three bells at noon") == 200)
                    let again = try server.serverOutput()
                    #expect(!again.contains("#set-up="))
                }
            }
        }

        /// With a client of its own: the fixture's has a key.
        private static func status(signingInAt url: String, _ password: String) async throws -> Int {
            let curl = Process()
            curl.executableURL = URL(filePath: "/usr/bin/curl")
            curl.arguments = [
                "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Content-Type: application/json", "-d",
                #"{"email": "mina@example.com", "password": "\#(password)"}"#, "\(url)/v1/session",
            ]
            let pipe = Pipe()
            curl.standardOutput = pipe
            try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                curl.terminationHandler = { _ in done.resume() }
                do { try curl.run() } catch { done.resume(throwing: error) }
            }
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            return try #require(Int(text))
        }
    }
}
