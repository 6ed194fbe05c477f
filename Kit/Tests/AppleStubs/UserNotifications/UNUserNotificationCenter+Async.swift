// The forms that Swift makes of the methods with a completion handler.
extension UNUserNotificationCenter {
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        stub { state in
            state.requestedOptions.append(options)
            if state.settings.authorizationStatus == .notDetermined {
                state.settings = UNNotificationSettings(stub: state.isGranted ? .authorized : .denied)
            }
            return state.settings.authorizationStatus != .denied
        }
    }

    public func notificationSettings() async -> UNNotificationSettings { stub { $0.settings } }

    public func notificationCategories() async -> Set<UNNotificationCategory> { stub { $0.categories } }

    public func pendingNotificationRequests() async -> [UNNotificationRequest] { stub { $0.pending } }

    public func deliveredNotifications() async -> [UNNotification] { stub { $0.delivered } }
}
