import BelfryTesting
import Foundation
import Testing

@testable import BelfryCore

/// The cost of the kit on the app's main thread. The figures are printed.
///
/// The shortest of many calls is one that nothing else interrupted, so a busy machine does not change it. A call waits
/// for the disk, too, so the time is that of the clock, not of the processor.
@Suite(.serialized) struct SpeedTests {
    private let clock = ContinuousClock()

    @Test func clientStartsInFiveMilliseconds() async throws {
        try await ClientFixture.with { fixture in
            let shortest = try (0..<50).map { _ in try clock.measure { _ = try fixture.client() } }.min()
            print("Client.init: \(shortest ?? .zero)")
            #expect(try #require(shortest) < .milliseconds(5))
        }
    }

    /// A slow machine writes all files slowly, so a record is compared with a file that is written and renamed.
    @Test func recordTakesNoLongerThanThreeFilesWithAFullQueue() async throws {
        try await ClientFixture.with { fixture in
            let client = try fixture.client()
            let push = ClientFixture.push()
            // The first one makes the folder.
            try client.record(push, .opened)
            for number in 0..<5_000 {
                let name = EventFile(at: fixture.clock.now, uptime: UInt64(number)).name
                try Data().write(to: fixture.folder.appendingPathComponent("events/app/\(name)"))
            }
            let bytes = Data(repeating: 0x20, count: 100)
            let written = fixture.folder.appendingPathComponent("written")
            var records: [Duration] = []
            var files: [Duration] = []
            for number in 0..<200 {
                records.append(try clock.measure { try client.record(push, .opened) })
                files.append(
                    try clock.measure {
                        try bytes.write(to: written)
                        try FileManager.default.moveItem(
                            at: written, to: fixture.folder.appendingPathComponent("\(number)"))
                    })
            }
            let (record, file) = (try #require(records.min()), try #require(files.min()))
            print("record: \(record), a file: \(file)")
            #expect(record < file * 3)
        }
    }
}
