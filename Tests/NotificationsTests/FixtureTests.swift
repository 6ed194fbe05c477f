import Foundation
import Notifications
import Testing

/// Payloads of real apps: what is read must go out again, key for key.
@Suite struct FixtureTests {
    static let names = [
        "acknowledged", "alert-string-custom-keys", "basic", "legacy-string-badge", "localized", "rich-attachment",
        "silent",
    ]
    static let accepted = names.filter { $0 != "legacy-string-badge" }

    private func fixture(_ name: String) throws -> JSON {
        let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures")
        return try JSON(parsing: Array(Data(contentsOf: folder.appendingPathComponent("\(name).json"))))
    }

    @Test func everyFixtureIsTested() throws {
        let folder = try #require(Bundle.module.resourceURL).appendingPathComponent("Fixtures")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }

        #expect(files.sorted() == Self.names.map { "\($0).json" })
    }

    @Test(arguments: accepted)
    func goesOutAsItCameIn(_ name: String) throws {
        let json = try fixture(name)

        let encoded = try Payload(json: json).encoded()

        #expect(try JSON(parsing: encoded).isEquivalent(to: json))
        #expect(encoded.count == json.encoded().count)
    }

    /// A key that fell into `other` would survive as well, without being understood.
    @Test(arguments: accepted)
    func everyKeyInsideApsIsTyped(_ name: String) throws {
        let aps = try #require(try Payload(json: fixture(name)).aps)

        #expect(aps.other.isEmpty)
        if case .dictionary(let alert) = aps.alert { #expect(alert.other.isEmpty) }
    }

    @Test(arguments: accepted)
    func breaksNoRule(_ name: String) throws {
        let rules = PushRules(pushType: name == "silent" ? .background : .alert, messageIDKey: nil)

        #expect(try rules.problems(in: Payload(json: fixture(name))) == [])
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

        let error = #expect(throws: PayloadProblems.self) { try Payload(json: json) }

        #expect(
            error?.problems == [
                Problem(
                    path: "aps.badge", code: "wrong-type",
                    message: "must be a whole number, like 2, not the text \"2\"")
            ])
    }
}
