import ArgumentParser
import EventLoop
import Foundation
import HTTPTypes
import JSON
import TestSupport
import Testing

@testable import Belfry

extension BelfrySuite {
    /// Several threads for requests and for sending.
    @Suite struct LoopTests {
        private static let devices = 400

        @Test func shareOfTheCoresIsAtLeastOne() {
            let shares = [1, 2, 4, 8, 16, 1_000].map { LoopCounts.standard(cores: $0).send }
            #expect(shares == [1, 1, 1, 2, 4, 64])
        }

        @Test func impossibleNumberIsRefusedWithWords() async throws {
            try await ScratchFolder.with { folder in
                for (command, option) in [("serve", "--web-loops"), ("work", "--send-loops")] {
                    let ending = try await BelfryProcess([command, option, "0"], in: folder, capturesErrors: true)
                        .ending()
                    #expect(ending.status != 0)
                    #expect(ending.output.contains("loops; it must be from 1 to 64"))
                }
            }
        }

        /// Registrations, transactional pushes and test pushes from connections of all web loops, and a campaign with a rate
        /// limit that all send loops share.
        @Test func allLoopsServeOneApp() async throws {
            try await ScratchFolder.with { folder in
                let apple = try await SimulatedApple(in: folder)
                try await ServeFixture.with(
                    in: folder, serve: apple.serve + ["--web-loops", "4", "--send-loops", "4"], app: apple.credential
                ) { served in
                    try await Self.register(served)
                    try await Self.push(served)
                    try await Self.sendCampaign(served)
                    #expect(try Self.threads(of: served).filter { $0.hasPrefix("web-") }.count == 4)
                    #expect(try Self.threads(of: served).filter { $0.hasPrefix("work-") }.count == 4)
                }
                apple.process.send(SIGTERM)
                _ = try await apple.process.ending()
            }
        }

        private static func register(_ served: ServeFixture) async throws {
            try await withThrowingTaskGroup { group in
                for number in 1...devices {
                    group.addTask {
                        let token = String(repeating: "0", count: 60) + String(format: "%04x", number)
                        let device = try await served.send(
                            .put, "/devices/phone-\(number)",
                            [
                                "token": .string(token), "environment": "production",
                                "user_id": .string("user-\(number)"),
                            ])
                        return try #require(device["id"]?.text)
                    }
                }
                var ids: Set<String> = []
                for try await id in group { ids.insert(id) }
                #expect(ids.count == devices)
            }
        }

        private static func push(_ served: ServeFixture) async throws {
            try await withThrowingTaskGroup { group in
                for number in 1...40 {
                    group.addTask {
                        let taken = try await served.send(
                            .post, "/pushes",
                            [
                                "user_ids": [.string("user-\(number)")],
                                "payload": ["aps": ["alert": "Your code is 4711."]],
                            ])
                        let id = try #require(taken["id"]?.text)
                        while true {
                            guard case .array(let sent)? = try await served.send(.get, "/pushes/\(id)", nil)["devices"],
                                let outcome = sent.first?["outcome"]?.text
                            else { return "none" }
                            if outcome != "pending" { return outcome }
                            try await Task.sleep(for: .milliseconds(20))
                        }
                    }
                }
                for try await outcome in group { #expect(outcome == "accepted") }
            }
        }

        private static func sendCampaign(_ served: ServeFixture) async throws {
            let campaign = try await served.send(
                .post, "/campaigns",
                [
                    "name": "x", "payload": ["aps": ["alert": "Ding"]],
                    "pushes_per_second": .number(JSON.Number(devices / 4)),
                ])
            let id = try #require(campaign["id"]?.text)
            let began = MonotonicTime.now()
            let started = try await served.send(.post, "/campaigns/\(id)/start", nil)
            let run = try #require(started["id"]?.text)
            var report = started
            while report["finished_at"]?.text == nil {
                try await Task.sleep(for: .milliseconds(50))
                report = try await served.send(.get, "/runs/\(run)", nil)
            }
            // Four seconds of pace, of which the first is there at once.
            #expect(MonotonicTime.now() - began > .seconds(2.5))
            #expect(report["verified_at"]?.text != nil)
            #expect(report["accepted"] == .number(JSON.Number(devices)))
        }

        private static func threads(of served: ServeFixture) throws -> [String] {
            let folder = "/proc/\(served.process.id)/task"
            return try FileManager.default.contentsOfDirectory(atPath: folder).map {
                try String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8).trimmed
            }
        }
    }
}
