import BelfryKit
import SwiftUI

@main
struct BellTowerApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup {
            SettingsView()
                .task(id: phase) {
                    guard phase == .active else { return }
                    Belfry.shared.refresh()
                    await Belfry.shared.recordInfluencedOpens()
                }
        }
    }
}

enum BellTower {
    /// Pending local notifications that the app itself needs; iOS keeps 64 in total.
    static let ownNotifications = 10
}
