import BelfryNotificationService
import UserNotifications

/// iOS calls it on threads of its own, so `nonisolated`: new projects of Xcode isolate classes to the main actor.
nonisolated final class NotificationService: BelfryServiceExtension {
    override var configuration: BelfryConfiguration? { .bellTower }

    /// Not needed for the attachment: it is added to the result. Without this method, the text is shown as it came.
    override func prepare(_ content: UNMutableNotificationContent, for push: Push) async {
        if content.title.isEmpty { content.title = "Bell Tower" }
    }
}
