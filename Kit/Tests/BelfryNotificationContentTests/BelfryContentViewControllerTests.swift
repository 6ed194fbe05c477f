import BelfryCore
import Foundation
import Testing
import UserNotifications
import UserNotificationsUI

@testable import BelfryNotificationContent

@MainActor
struct BelfryContentViewControllerTests {
    private final class Controller: BelfryContentViewController {
        var shown: [(push: Push, attachment: URL?)] = []

        override func show(_ push: Push, attachment: URL?) { shown.append((push, attachment)) }
    }

    @Test func viewShowsThePushWithItsFileWhichCanBeRead() throws {
        let controller = Controller(nibName: nil, bundle: nil)
        let file = file()

        receive(["i": "m", "aps": ["alert": ["title": "Hi"]]], file, controller)

        let shown = try #require(controller.shown.first)
        #expect(controller.shown.count == 1)
        #expect(shown.push.messageID == "m")
        #expect(shown.push.alert?.title == "Hi")
        #expect(shown.attachment == file)
        #expect(controller.push == shown.push)
        #expect(file.stubAccesses == 1)
    }

    @Test func nextPushAndTheEndOfTheViewGiveUpTheFile() {
        let (first, second) = (file(), file())
        var controller: Controller? = Controller(nibName: nil, bundle: nil)

        controller.map { receive(["i": "1"], first, $0) }
        controller.map { receive(["i": "2"], second, $0) }
        #expect(first.stubAccesses == 0)
        #expect(second.stubAccesses == 1)

        controller = nil
        #expect(second.stubAccesses == 0)
    }

    @Test func fileThatIOSDoesNotPermitIsNone() throws {
        let controller = Controller(nibName: nil, bundle: nil)
        let file = file()
        file.stubDeny()

        receive(["i": "m"], file, controller)
        receive(["i": "m"], nil, controller)

        #expect(controller.shown.map(\.attachment) == [nil, nil])
        #expect(file.stubAccesses == 0)
    }

    @Test func responseGoesToTheAppWhichRecordsIt() {
        let controller = Controller(nibName: nil, bundle: nil)
        let request = UNNotificationRequest(identifier: "r", content: UNNotificationContent(), trigger: nil)
        let notification = UNNotification(stub: request, date: Date())
        let receiver: any UNNotificationContentExtension = controller
        var options: [UNNotificationContentExtensionResponseOption] = []

        receiver.didReceive(UNNotificationResponse(stub: notification, actionIdentifier: "buy")) { options.append($0) }

        #expect(options == [.dismissAndForwardAction])
    }

    private func file() -> URL { URL(fileURLWithPath: "/attachments/\(UUID().uuidString).jpg") }

    private func receive(_ userInfo: [AnyHashable: Any], _ file: URL?, _ controller: Controller) {
        let content = UNMutableNotificationContent()
        content.userInfo = userInfo
        if let file {
            content.attachments = [UNNotificationAttachment(identifier: "a", url: file, type: "public.jpeg")]
        }
        let request = UNNotificationRequest(identifier: "r", content: content, trigger: nil)
        // As iOS calls it.
        let receiver: any UNNotificationContentExtension = controller
        receiver.didReceive(UNNotification(stub: request, date: Date()))
    }
}
