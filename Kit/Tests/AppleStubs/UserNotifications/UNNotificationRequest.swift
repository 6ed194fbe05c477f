import Foundation

open class UNNotificationRequest: NSObject {
    public let identifier: String
    public let content: UNNotificationContent
    public let trigger: UNNotificationTrigger?

    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}

/// Apple's has no public initializer: iOS makes it.
open class UNNotification: NSObject {
    public let date: Date
    public let request: UNNotificationRequest

    /// Stub only.
    public init(stub request: UNNotificationRequest, date: Date) {
        self.request = request
        self.date = date
    }
}

public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// Apple's has no public initializer: iOS makes it. `targetScene` needs UIKit, so an extension of UIKit has it.
open class UNNotificationResponse: NSObject {
    public let notification: UNNotification
    public let actionIdentifier: String

    /// Stub only.
    public init(stub notification: UNNotification, actionIdentifier: String) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
    }
}

open class UNTextInputNotificationResponse: UNNotificationResponse {
    public let userText: String

    /// Stub only.
    public init(stub notification: UNNotification, actionIdentifier: String, userText: String) {
        self.userText = userText
        super.init(stub: notification, actionIdentifier: actionIdentifier)
    }
}
