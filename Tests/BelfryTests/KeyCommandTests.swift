import Foundation
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    struct KeyCommandTests {
        @Test func keysAreListedWithoutTheirTextsAndRevokedByTheirIDs() async throws {
            try await ScratchFolder.with { folder in
                try await ServeFixture.with(in: folder) { server in
                    func output(_ arguments: [String]) async throws -> String {
                        let ending = try await server.command(["key"] + arguments).ending()
                        #expect(ending.status == 0, "\(arguments): \(ending)")
                        return ending.output
                    }
                    let text = try await output(["create", "--name", "for a week", "--days", "7"]).trimmed
                    let lines = try await output(["list"]).split(separator: "\n").map(String.init)
                    #expect(lines.count == 3)
                    #expect(lines[0].hasPrefix("ID    APP   KIND"))
                    let week = try #require(lines.first { $0.hasSuffix("for a week") })
                    #expect(week.contains("all   secret") && week.contains("until ") && week.contains(text.prefix(8)))
                    #expect(lines.last?.contains("valid ") == true)
                    #expect(!lines.joined().contains(text.dropFirst(8)))

                    let id = String(week.prefix { $0 != " " })
                    let next = try await output(["rotate", id, "--overlap-hours", "2"]).trimmed
                    #expect(next.hasPrefix("bfs_") && next != text)
                    #expect(try await output(["list"]).split(separator: "\n").count == 4)
                    #expect(try await output(["revoke", id]) == "Key \(id) \"for a week\" is revoked.\n")
                    #expect(try await output(["list"]).contains("revoked "))
                    let unknown = try await server.command(["key", "revoke", "99"]).ending()
                    #expect(unknown.status != 0 && unknown.output.isEmpty)
                    let wrong = try await server.command(["key", "create", "--name", "x", "--days", "0"]).ending()
                    #expect(wrong.status != 0)
                }
            }
        }
    }
}
