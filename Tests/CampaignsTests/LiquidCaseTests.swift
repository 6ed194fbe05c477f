import Foundation
import JSON
import Notifications
import Testing

@testable import Campaigns

@Suite(.timeLimit(.minutes(10)))
struct LiquidCaseTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let python =
        ProcessInfo.processInfo.environment["BELFRY_VENV"].map { $0 + "/bin/python" }
        ?? root.appendingPathComponent(".build/venv/bin/python").path
    private static let script = root.appendingPathComponent("Scripts/peers/liquid-peer.py").path
    static var hasPython: Bool { FileManager.default.isExecutableFile(atPath: python) }

    /// Columns go into their places, the rest are attributes.
    private static func person(_ data: JSON) throws -> RecipientProfile {
        guard case .object(let members) = data else { throw NoText() }
        func column(_ field: DeviceField) -> String? {
            if case .string(let text) = data[field.rawValue] { text } else { nil }
        }
        return RecipientProfile(
            locale: column(.locale), osVersion: column(.osVersion), appVersion: column(.appVersion),
            attributes: .object(members.filter { DeviceField(rawValue: $0.key) == nil }))
    }

    @Test(arguments: LiquidCase.all)
    func outputMatchesTheTable(row: LiquidCase) throws {
        let rendering = try render(row.template, Self.person(try JSON(parsing: row.data)))

        if let text = row.belfry {
            #expect(rendering == .text(text))
        } else {
            switch rendering {
            case .missing, .unusable: break
            case .text, .tooLong: Issue.record("\(row): \(rendering), not missing")
            }
        }
    }

    @Test(.enabled(if: hasPython, "no Python environment: run Scripts/python-tools"))
    func pythonLiquidMatchesTheTable() throws {
        let cases = try LiquidCase.all.map { row -> JSON in
            ["template": .string(row.template), "data": try JSON(parsing: row.data)]
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("liquid-\(UUID().uuidString).json")
        try Data(JSON.array(cases).encoded()).write(to: file)
        defer { _ = try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = [Self.script, file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = Array(output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)

        guard case .array(let texts) = try JSON(parsing: answer) else { throw NoText() }
        try #require(texts.count == LiquidCase.all.count)
        for (row, text) in zip(LiquidCase.all, texts) {
            let expected = row.python ?? row.belfry
            #expect(text == expected.map(JSON.string) ?? .null, "\(row)")
        }
    }
}
