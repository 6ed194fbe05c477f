import Foundation
import UIKit
import UserNotifications

public enum UNNotificationContentExtensionResponseOption: UInt, Sendable {
    case doNotDismiss, dismiss, dismissAndForwardAction
}

/// Apple's `didReceive(_:completionHandler:)` is optional; its default is what iOS does without it.
public protocol UNNotificationContentExtension: NSObjectProtocol {
    /// On the main actor in newer SDKs. Without it, code that compiles here compiles with both.
    func didReceive(_ notification: UNNotification)

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void)
}

extension UNNotificationContentExtension {
    public func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) { completion(.dismissAndForwardAction) }
}
