import BelfryCore
import Foundation
import UserNotifications

/// Registers the categories for the buttons of pushes, one after another: each call reads the app's set and writes it as a
/// whole, and iOS may hand several pushes to one process.
actor ButtonCategories {
    /// Of this process.
    static let shared = ButtonCategories()

    private var registration = ButtonRegistration()
    private var last: Task<Void, Never>?

    /// Returns the identifier of the buttons' category when iOS has it.
    func register(
        _ buttons: [Push.Button], in center: @escaping @Sendable () -> UNUserNotificationCenter
    ) async -> String {
        let identifier = ButtonRegistration.identifier(of: buttons)
        let before = last
        let task = Task {
            await before?.value
            await self.set(identifier, buttons, center)
        }
        last = task
        await task.value
        return identifier
    }

    private func set(
        _ identifier: String, _ buttons: [Push.Button], _ center: @escaping @Sendable () -> UNUserNotificationCenter
    ) async {
        let shown = await withCheckedContinuation { continuation in
            center().getDeliveredNotifications {
                continuation.resume(returning: $0.map(\.request.content.categoryIdentifier))
            }
        }
        let present = await withCheckedContinuation { continuation in
            center().getNotificationCategories { continuation.resume(returning: $0.map(\.identifier)) }
        }
        guard let stale = registration.register(identifier, present: present, shown: shown) else { return }
        // Categories are not Sendable, so they are read again where they are set.
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            center().getNotificationCategories { present in
                let kept = present.filter { !stale.contains($0.identifier) }
                center().setNotificationCategories(kept.union([.make(identifier, buttons)]))
                // iOS sets them later, and answers this after that: a push that is shown earlier has no buttons.
                center().getNotificationCategories { _ in done.resume() }
            }
        }
    }
}

extension UNNotificationCategory {
    fileprivate static func make(_ identifier: String, _ buttons: [Push.Button]) -> UNNotificationCategory {
        let actions = buttons.map { button in
            var options: UNNotificationActionOptions = []
            if button.link != nil { options.insert(.foreground) }
            if button.isDestructive { options.insert(.destructive) }
            return UNNotificationAction(identifier: button.id, title: button.title, options: options)
        }
        return UNNotificationCategory(identifier: identifier, actions: actions, intentIdentifiers: [])
    }
}
