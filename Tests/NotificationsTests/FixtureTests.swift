import Foundation
import JSON
import Notifications
import Testing

/// Payloads of real apps must be written exactly as they were read.
@Suite struct FixtureTests {
    static let names = [
        "acknowledged", "alert-string-custom-keys", "basic", "legacy-string-badge", "localized", "rich-attachment",
        "silent",
    ]
    static let accepted = names.filter { $0 != "legacy-string-badge" }

    private func bytes(_ name: String) throws -> [UInt8] {
        let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures")
        return try Array(Data(contentsOf: folder.appendingPathComponent("\(name).json")))
    }

    private func fixture(_ name: String) throws -> JSON {
        try JSON(parsing: bytes(name))
    }

    @Test func everyFixtureIsTested() throws {
        let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }

        #expect(files.sorted() == Self.names.map { "\($0).json" })
    }

    /// Numbers keep their text and keys their order, so the very bytes come back.
    @Test(arguments: accepted)
    func fixtureRoundTrips(_ name: String) throws {
        let bytes = try bytes(name)

        let encoded = try Payload(json: JSON(parsing: bytes)).encoded()

        #expect(encoded.elementsEqual(bytes.filter { $0 != UInt8(ascii: "\n") }))
    }

    /// A key in `other` would also be preserved, but not checked.
    @Test(arguments: accepted)
    func everyKeyInsideApsIsTyped(_ name: String) throws {
        let aps = try #require(try Payload(json: fixture(name)).aps)

        #expect(aps.other.isEmpty)
        if case .dictionary(let alert) = aps.alert { #expect(alert.other.isEmpty) }
    }

    @Test(arguments: accepted)
    func breaksNoRule(_ name: String) throws {
        let rules = PushRules(pushType: name == "silent" ? .background : .alert, messageIDKey: nil)

        let problems = try rules.problems(in: Payload(json: fixture(name)))

        #expect(problems.filter { $0.severity != .note } == [])
        #expect(problems.map(\.path) == (name == "localized" ? ["aps.alert.action-loc-key"] : []))
    }

    @Test func acknowledgedIsUnderstood() throws {
        let payload = try Payload(json: fixture("acknowledged"))

        #expect(
            payload.aps
                == APS(
                    alert: .dictionary(
                        Alert(
                            title: "notification title", subtitle: "this is notification subtitle",
                            body: "this is notification body")),
                    badge: 2, sound: .named("default"), threadID: "test_thread_id", category: "test_category",
                    interruptionLevel: .active, relevanceScore: 0.5))
        #expect(
            payload.custom == [
                .init("i", 11_153_971_268_435_968), .init("customKey1", "customValue1"),
                .init("customKey2", "customValue2"),
            ])
    }

    @Test func stringBadgeIsRefused() throws {
        let json = try fixture("legacy-string-badge")

        let error = #expect(throws: Problems.self) { try Payload(json: json) }

        #expect(
            error?.problems == [
                Problem(
                    path: "aps.badge", code: "wrong-type",
                    message: "must be a whole number, like 2, not the text \"2\"")
            ])
    }
}
