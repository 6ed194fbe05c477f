import BelfryCore
import Foundation
@preconcurrency import UserNotifications

extension Belfry {
    /// Fetches the categories and registers them, if they have changed. `start` and `refresh` do so; call it when the
    /// app has to be sure. The app's own categories stay.
    public func registerCategories() async {
        guard client != nil else { return }
        fetches.add { [weak self] client in await self?.setCategories(client) }
        await fetches.settle()
    }

    func setCategories(_ client: Client) async {
        guard await client.categories(locale: Locale.preferred) != nil else { return }
        let center = center
        let present = await withCheckedContinuation { continuation in
            center().getNotificationCategories { continuation.resume(returning: Set($0.map(\.identifier))) }
        }
        guard case .set(let categories, let keeping) = await client.categoryAction(present: present) else { return }
        // Categories are not Sendable, so they are read again where they are set.
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            center().getNotificationCategories { present in
                // The service extension may have added one for the buttons of a push meanwhile.
                let kept = present.filter {
                    keeping.contains($0.identifier) || ButtonRegistration.isForButtons($0.identifier)
                }
                center().setNotificationCategories(kept.union(categories.map(UNNotificationCategory.make)))
                done.resume()
            }
        }
    }
}

extension UNNotificationCategory {
    static func make(_ category: NotificationCategory) -> UNNotificationCategory {
        UNNotificationCategory(
            identifier: category.identifier, actions: category.actions.map(UNNotificationAction.make),
            intentIdentifiers: category.intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: category.hiddenPreviewsBodyPlaceholder,
            categorySummaryFormat: category.categorySummaryFormat,
            options: UNNotificationCategoryOptions(rawValue: category.options))
    }
}

extension UNNotificationAction {
    static func make(_ action: NotificationCategory.Action) -> UNNotificationAction {
        let options = UNNotificationActionOptions(rawValue: action.options)
        if #available(iOS 15, *), let icon = action.icon.flatMap(UNNotificationActionIcon.make) {
            guard let input = action.textInput else {
                return UNNotificationAction(
                    identifier: action.identifier, title: action.title, options: options, icon: icon)
            }
            return UNTextInputNotificationAction(
                identifier: action.identifier, title: action.title, options: options, icon: icon,
                textInputButtonTitle: input.buttonTitle, textInputPlaceholder: input.placeholder)
        }
        guard let input = action.textInput else {
            return UNNotificationAction(identifier: action.identifier, title: action.title, options: options)
        }
        return UNTextInputNotificationAction(
            identifier: action.identifier, title: action.title, options: options,
            textInputButtonTitle: input.buttonTitle, textInputPlaceholder: input.placeholder)
    }
}

@available(iOS 15, *)
extension UNNotificationActionIcon {
    static func make(_ icon: NotificationCategory.Icon) -> UNNotificationActionIcon? {
        if let name = icon.systemImageName { return UNNotificationActionIcon(systemImageName: name) }
        return icon.templateImageName.map { UNNotificationActionIcon(templateImageName: $0) }
    }
}
