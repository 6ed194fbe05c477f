import Foundation
import UserNotifications

@MainActor
open class UIScene: UIResponder {
    @MainActor
    open class ConnectionOptions: NSObject {
        open var notificationResponse: UNNotificationResponse? { stubResponse }

        /// Stub only.
        public var stubResponse: UNNotificationResponse?
    }
}
