@_exported import BelfryCore
import Foundation
import UIKit
import UserNotifications
import UserNotificationsUI

// iOS calls the protocol's methods on the main thread; its declaration says so in newer SDKs only; these warn.
/// The base class of an app's notification content extension: it decodes the push and opens its file.
///
/// iOS starts the extension when a person expands a notification whose category the target's Info.plist names. These
/// values of the Info.plist decide how it looks, before any code runs:
///
/// - `UNNotificationExtensionCategory`: the category's identifier, or several.
/// - `UNNotificationExtensionInitialContentSizeRatio`: the height for each point of width. A wrong one makes the view
///   jump.
/// - `UNNotificationExtensionDefaultContentHidden`: true hides title and text, which this view then shows.
/// - `UNNotificationExtensionUserInteractionEnabled`: true gives touches to this view.
///
/// Belfry writes them for its categories: `GET …/categories/source?language=info_plist`. Make a subclass, name it in the
/// storyboard or as `NSExtensionPrincipalClass`, and override `show(_:attachment:)`.
///
/// Source: Apple, "Customizing the Appearance of Notifications".
open class BelfryContentViewController: UIViewController, @preconcurrency UNNotificationContentExtension {
    /// The push that is shown last; nil before the first.
    public private(set) var push: Push?
    private let access = FileAccess()

    /// The names of Belfry's members in the payload. Override it if the app's differ from the server's standard.
    open var payloadKeys: PayloadKeys { PayloadKeys() }

    /// Shows the push, on the main thread. It is called again for each new notification of the same thread that arrives
    /// while the view is open. `attachment` is the file that the service extension attached; nil if there is none, so
    /// show the text. It can be read until the next call or the end of the view. The default does nothing.
    open func show(_ push: Push, attachment: URL?) {}

    /// For `UNNotificationContentExtension`. Override `show(_:attachment:)` instead.
    open func didReceive(_ notification: UNNotification) {
        let content = notification.request.content
        let push = Push(userInfo: content.userInfo, keys: payloadKeys)
        self.push = push
        show(push, attachment: access.open(content.attachments.first?.url))
    }

    /// The person chose an action of the notification while the view is open. Call `completion` once, on the main thread:
    /// `doNotDismiss` keeps the view. The default does what iOS does without this method: it dismisses the view and hands
    /// the response to the app, which records it; a response that is not handed on is not recorded.
    open func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        completion(.dismissAndForwardAction)
    }
}
