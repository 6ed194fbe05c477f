import Crypto
import EventLoop
import Foundation
import Logging
import Testing

@testable import APNSSimulator

@Suite(.timeLimit(.minutes(10)))
struct FleetTests {
    /// Starts a fake API in Python and returns its port.
    private func withAPI(_ body: (UInt16) async throws -> Void) async throws {
        let python = "/usr/bin/python3"
        try #require(FileManager.default.isExecutableFile(atPath: python), "python3 is not installed")
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [root.appendingPathComponent("Scripts/peers/fleet-api.py").path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        try await body(#require(UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines))))
    }

    private func configuration(port: UInt16, count: Int) -> FleetConfiguration {
        var configuration = FleetConfiguration(
            bundleID: Provider.bundleID, appID: "7", publishableKey: "bfp_test", host: "127.0.0.1", port: port)
        configuration.count = count
        configuration.shares.uninstalled = 0.1
        configuration.shares.wrongEnvironment = 0.1
        configuration.shares.delivered = 0.8
        configuration.shares.opened = 0.5
        return configuration
    }

    @Test func phonesRegisterReceiveAndAcknowledge() async throws {
        let count = 200
        let loop = try EventLoop(name: "fleet")
        defer { loop.stop() }
        try await withAPI { port in
            let configuration = self.configuration(port: port, count: count)
            let fleet = Fleet(configuration: configuration, loop: loop, logger: Logger(label: "test"))
            await fleet.register()
            #expect(fleet.statistics.registered == count)
            let phones = (0..<count).map { Phone(number: $0, seed: configuration.seed, shares: configuration.shares) }
            #expect(fleet.statistics.uninstalled == phones.count(where: \.isUninstalled))

            try await withSimulator(devices: fleet.devices, deliver: fleet.receive) { server, sender, authorization in
                try await sender.connect(to: server)
                for (number, phone) in phones.enumerated() {
                    let id = PushID(high: 9, low: UInt64(number)).description
                    let answer = await sender.push(
                        .push(
                            authorization, token: Hex.encode(phone.token), id: id,
                            body: #"{"aps":{"alert":"Hi"},"i":"\#(id)"}"#), number: number)
                    #expect(answer.status == (phone.hasWrongEnvironment ? 400 : phone.isUninstalled ? 410 : 200))
                }
            }
            let reached = phones.count { !$0.hasWrongEnvironment && !$0.isUninstalled }
            #expect(fleet.statistics.received == reached)
            await fleet.acknowledgeAll()

            let statistics = fleet.statistics
            #expect(statistics.delivered + statistics.undelivered == reached)
            #expect(statistics.delivered > reached / 2 && statistics.undelivered > 0)
            #expect(statistics.opened > 0 && statistics.opened < statistics.delivered)
            #expect(statistics.notAcknowledged == 0 && statistics.pending == 0)
        }
    }

    @Test(
        arguments: [
            (#"[{"id":"remind","title":"Remind me"},{"id":"no","title":"No","destructive":true}]"#, ["remind", "no"]),
            (#"[{"title":"A"}]"#, []), ("7", []),
        ]) func typedButtonsOfAPushCanBePressed(_ buttons: String, _ expected: [String])
    {
        let found = Array(buttons.utf8).withUnsafeBytes { TypedButtons.read($0[...]) }
        #expect(found.map(\.identifier) == expected)
    }

    @Test func phonesAreDerivedFromTheirSeed() {
        let shares = FleetConfiguration.Shares()
        let phones = (0..<5_000).map { Phone(number: $0, seed: 1, shares: shares) }

        #expect(
            Phone(number: 7, seed: 1, shares: shares).registration(as: .production)
                == phones[7].registration(as: .production))
        #expect(Phone(number: 7, seed: 2, shares: shares).token != phones[7].token)
        #expect(Set(phones.map(\.token)).count == 5_000)
        #expect(Set(phones.map(\.installation)).count == 5_000)
        #expect(Set(phones.map(\.market.locale)).count == Market.all.count)
        #expect(20...90 ~= phones.count { $0.token.count == Phone.longTokenLength })
    }

    @Test func acknowledgementsAreTakenWhenDue() {
        func event(_ number: UInt64) -> AcknowledgementSchedule.Event {
            .init(id: PushID(high: 0, low: number), kind: .delivered, at: 0)
        }
        let start = MonotonicTime(nanoseconds: 10_000_000_000)
        var schedule = AcknowledgementSchedule()
        let isTaken = [
            schedule.add(event(2), due: start + .milliseconds(250)),
            schedule.add(event(1), due: start + .milliseconds(50)),
        ]
        #expect(isTaken == [true, true])

        let early = schedule.takeDue(at: start - .milliseconds(1))
        let first = schedule.takeDue(at: start + .milliseconds(99))
        let waiting = schedule.count
        let second = schedule.takeDue(at: start + .milliseconds(300))

        #expect(early == [] && first == [event(1)] && waiting == 1 && second == [event(2)])
    }

    @Test func delaysHaveATypicalAndALongestTime() {
        var generator = SeededGenerator(seed: 1)
        let delay = FleetConfiguration.Delay(typical: .seconds(1), longest: .seconds(20))
        let drawn = (0..<10_000).map { _ in delay.draw(using: &generator) }.sorted()

        #expect(drawn[5_000] > .milliseconds(900) && drawn[5_000] < .milliseconds(1_100))
        #expect(drawn[9_999] == .seconds(20))
    }
}
