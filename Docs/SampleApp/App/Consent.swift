import BelfryKit
import Foundation
import UserNotifications

enum Consent {
    private static let isMoved = "consentIsMoved"

    /// Call it at each launch, after `start` and the other SDK's start: it acts once. Without iOS's permission, the other
    /// SDK's value can mean that the person was never asked, so it is no opt-out then.
    static func move(isOptedIn: Bool) async {
        guard !UserDefaults.standard.bool(forKey: isMoved) else { return }
        let status = await UNUserNotificationCenter.current().notificationSettings().authorizationStatus
        if !isOptedIn, status == .authorized || status == .provisional {
            Belfry.shared.setOptedOut(true, of: Topic.all)
        }
        UserDefaults.standard.set(true, forKey: isMoved)
    }
}
