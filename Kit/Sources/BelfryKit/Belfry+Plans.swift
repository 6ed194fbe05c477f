import BelfryCore
import Foundation
@preconcurrency import UserNotifications

#if canImport(CoreLocation)
    import CoreLocation
#endif

extension Belfry {
    /// The result of scheduling the server's local notifications.
    public struct PlanResult: Sendable, Equatable {
        /// The kit's notifications that are pending now.
        public let kept: Int
        /// Those that do not fit beside the app's own: iOS keeps 64 of an app.
        public let omitted: Int
    }

    /// Fetches the local notifications of this device, and schedules what has changed. `start` and `refresh` do so.
    /// `reserving` is the number of pending notifications that the app wants for its own; nil: as before. The result is
    /// nil if the server was never reached.
    @discardableResult
    public func scheduleLocalPlans(reserving: Int? = nil) async -> PlanResult? {
        guard client != nil else { return nil }
        let reserved = reserved(reserving)
        return await withCheckedContinuation { continuation in
            fetches.add { [weak self] client in
                continuation.resume(returning: await self?.schedulePlans(client, reserving: reserved))
            }
        }
    }

    @discardableResult
    func schedulePlans(_ client: Client, reserving: Int) async -> PlanResult? {
        let zone = TimeZone.current.identifier
        guard await client.fetchPlans(locale: Locale.preferred, timeZone: zone) else { return nil }
        let center = center
        let pending = await withCheckedContinuation { continuation in
            center().getPendingNotificationRequests { continuation.resume(returning: Set($0.map(\.identifier))) }
        }
        let version = Bundle.main.infoDictionary?["CFBundleVersion"] as? String ?? ""
        let device = PlanSchedule.Device(pending: pending, timeZone: zone, appVersion: version, reserved: reserving)
        guard let changes = await client.planChanges(on: device) else { return nil }
        if !changes.removed.isEmpty { center().removePendingNotificationRequests(withIdentifiers: changes.removed) }
        var failed: Set<String> = []
        for addition in changes.added where await !add(addition, client) { failed.insert(addition.requestIdentifier) }
        await client.plansScheduled(failed: failed)
        return PlanResult(kept: changes.pending - failed.count, omitted: changes.omitted)
    }

    /// Returns false if iOS has not taken it.
    private func add(_ addition: PlanSchedule.Addition, _ client: Client) async -> Bool {
        guard let trigger = UNNotificationTrigger.make(addition.notification.trigger) else {
            client.report(
                Diagnostic(
                    .warning, "trigger",
                    "This phone can't schedule the local notification \(addition.notification.identifier)."))
            return false
        }
        let planned = PlannedContent(addition.notification.content)
        let file = await PlanAttachment.load(planned.attachment, client)
        let content = UNMutableNotificationContent.make(planned, version: addition.notification.version)
        // iOS moves the file to a place of its own.
        if let file { content.attachments = PlanAttachment.make(file, client) }
        let request = UNNotificationRequest(
            identifier: addition.requestIdentifier, content: content, trigger: trigger)
        let center = center
        let error = await withCheckedContinuation { continuation in
            center().add(request) { continuation.resume(returning: $0.map { "\($0)" }) }
        }
        guard let error else { return true }
        client.report(
            Diagnostic(
                .warning, "schedule",
                "iOS refused the local notification \(addition.notification.identifier): \(error)"))
        return false
    }
}

extension UNNotificationTrigger {
    /// The shortest interval that iOS repeats, in seconds.
    static let shortestRepeat: TimeInterval = 60

    /// Nil if iOS would refuse the trigger.
    static func make(_ trigger: PlannedNotification.Trigger) -> UNNotificationTrigger? {
        switch trigger {
        case .interval(let seconds, let repeats): return interval(seconds, repeats: repeats)
        case .appUpdate(let seconds): return interval(max(seconds, 1), repeats: false)
        case .calendar(let components, let zone, let repeats):
            return UNCalendarNotificationTrigger(dateMatching: dateComponents(components, zone), repeats: repeats)
        case .region(let region, let repeats):
            #if canImport(CoreLocation) && !targetEnvironment(macCatalyst) && !os(visionOS)
                let area = CLCircularRegion(
                    center: CLLocationCoordinate2D(latitude: region.latitude, longitude: region.longitude),
                    radius: region.radius, identifier: region.identifier)
                area.notifyOnEntry = region.onEntry
                area.notifyOnExit = region.onExit
                return UNLocationNotificationTrigger(region: area, repeats: repeats)
            #else
                return nil
            #endif
        case .unknown: return nil
        }
    }

    /// iOS raises an exception for an interval that is not positive, or that repeats within a minute.
    private static func interval(_ seconds: TimeInterval, repeats: Bool) -> UNNotificationTrigger? {
        guard seconds > 0, seconds.isFinite, !repeats || seconds >= shortestRepeat else { return nil }
        return UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: repeats)
    }

    private static func dateComponents(_ members: [String: Int], _ zone: String?) -> DateComponents {
        var components = DateComponents()
        components.year = members["year"]
        components.month = members["month"]
        components.day = members["day"]
        components.hour = members["hour"]
        components.minute = members["minute"]
        components.second = members["second"]
        components.weekday = members["weekday"]
        components.weekdayOrdinal = members["weekday_ordinal"]
        // Belfry counts by the Gregorian calendar, the person's phone perhaps by another.
        components.calendar = Calendar(identifier: .gregorian)
        components.timeZone = zone.flatMap { TimeZone(identifier: $0) }
        return components
    }
}
