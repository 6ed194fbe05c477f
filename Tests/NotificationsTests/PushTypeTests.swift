import Notifications
import Testing

@Suite struct PushTypeTests {
    /// Apple's table: push type, topic, size, priority.
    static let table: [(PushType, String, String, Int, Int)] = [
        (.alert, "alert", "com.example.Shop", 4096, 10),
        (.background, "background", "com.example.Shop", 4096, 5),
        (.location, "location", "com.example.Shop.location-query", 4096, 10),
        (.voip, "voip", "com.example.Shop.voip", 5120, 10),
        (.complication, "complication", "com.example.Shop.complication", 4096, 10),
        (.fileprovider, "fileprovider", "com.example.Shop.pushkit.fileprovider", 4096, 10),
        (.mdm, "mdm", "com.example.Shop", 4096, 10),
        (.liveactivity, "liveactivity", "com.example.Shop.push-type.liveactivity", 4096, 10),
        (.pushtotalk, "pushtotalk", "com.example.Shop.voip-ptt", 4096, 10),
        (.widgets, "widgets", "com.example.Shop.push-type.widgets", 4096, 10),
        (.controls, "controls", "com.example.Shop.push-type.controls", 4096, 10),
    ]

    @Test func typesAreApples() throws {
        let bundleID = try BundleID("com.example.Shop")

        #expect(Self.table.map(\.0) == PushType.allCases)
        for (type, header, topic, size, priority) in Self.table {
            #expect(type.rawValue == header)
            #expect(type.topic(bundleID: bundleID) == topic)
            #expect(type.maximumPayloadSize == size)
            #expect(type.defaultPriority.rawValue == priority)
        }
    }

    @Test(arguments: PushType.allCases)
    func suffixIsNeverDoubled(_ type: PushType) throws {
        let topic = type.topic(bundleID: try BundleID("com.example.Shop"))

        #expect(type.topic(bundleID: try BundleID(topic)) == topic)
    }

    @Test func anotherTypesSuffixIsPartOfTheBundleID() throws {
        #expect(PushType.pushtotalk.topic(bundleID: try BundleID("a.voip")) == "a.voip.voip-ptt")
        #expect(PushType.voip.topic(bundleID: try BundleID("a.myvoip")) == "a.myvoip.voip")
    }
}
