#if canImport(ObjectiveC)
    import BelfryCore
    import Foundation
    import UserNotifications

    /// The service extension for Objective-C. Objective-C can't subclass a class of Swift, so name this class in the
    /// target's Info.plist as `NSExtensionPrincipalClass`, with the configuration in the dictionary `Belfry`; or make one
    /// in a class of your own, and forward both methods of `UNNotificationServiceExtension` to it.
    @objc(BLFNotificationService)
    public final class BLFNotificationService: BelfryServiceExtension {}
#endif
