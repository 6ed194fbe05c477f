import BelfryKit
import Foundation
import UIKit
import UserNotifications

/// `nonisolated`, because iOS does not promise the thread on which it calls these methods.
nonisolated final class NotificationDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler(Belfry.shared.willPresent(notification))
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        switch Belfry.shared.handle(response) {
        case .opened(let push):
            // The custom key `link` of the template: its scheme is the app's own, so the app gets it in `onOpenURL`.
            open(push.custom["link"]?.string.flatMap(URL.init))
        case .action(let push, let identifier):
            // Of a button that was typed for this push. The actions of a category have no link: the app knows them.
            open(push.link(for: identifier))
        case .reply(_, let identifier, let text):
            print("The reply to \(identifier) has \(text.count) characters.")
        // A repeated response is one that iOS has reported to the scene, too.
        case .dismissed, .repeated: break
        // A notification of the app itself, or of another service.
        case .foreign: break
        }
        completionHandler()
    }

    private func open(_ link: URL?) {
        guard let link else { return }
        Task { @MainActor in await UIApplication.shared.open(link) }
    }
}
