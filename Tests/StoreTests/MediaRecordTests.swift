import Campaigns
import Notifications
import Postgres
import Testing

@testable import Store

@Suite struct MediaRecordTests {
    @Test(arguments: [
        ("Spring Sale!.PNG", "spring-sale.png"), ("../../etc/passwd", "etc-passwd.png"), ("春", "media.png"),
        (".png", "png.png"), ("a.b.c", "a-b.png"),
        (String(repeating: "x", count: 200), "\(String(repeating: "x", count: 60)).png"),
    ])
    func fileNamesArePlain(_ name: String, _ fileName: String) {
        let media = MediaRecord(
            id: .init(rawValue: 1), app: .init(rawValue: 1), createdAt: .now, name: name, type: .png, size: 1,
            capability: MediaCapability(bytes: [UInt8](repeating: 0, count: 16)), hash: nil, storage: .database,
            externalURL: nil)

        #expect(media.fileName == fileName)
    }
}
