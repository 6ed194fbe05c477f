import BelfryKit
import UIKit
import UserNotifications

final class AppDelegate: NSObject, UIApplicationDelegate {
    let notifications = NotificationDelegate()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        // Before this method returns: otherwise iOS does not report the tap that launched the app.
        UNUserNotificationCenter.current().delegate = notifications
        Belfry.start(.bellTower, reserving: BellTower.ownNotifications)
        // At each launch: only this logs in people who logged in before the app had the kit.
        Session.stored?.logIn()
        // At each launch, and also if notifications are denied: the token can change, and the person can allow them.
        application.registerForRemoteNotifications()
        #if DEBUG
            Task { for await diagnostic in Belfry.shared.diagnostics { print(diagnostic) } }
        #endif
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        Belfry.shared.register(token: deviceToken)
    }

    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        // The next launch asks again. Most often the capability Push Notifications is missing.
        print("iOS gave no token: \(error)")
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        guard let push = Belfry.shared.receive(userInfo) else {
            completionHandler(.noData)
            return
        }
        print("A silent push has \(push.custom.count) members of the app.")
        completionHandler(.newData)
    }
}
