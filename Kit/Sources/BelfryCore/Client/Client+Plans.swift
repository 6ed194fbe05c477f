import Foundation

extension Client {
    /// All that the kit knows about local notifications, in one file.
    struct StoredPlans: Codable, Sendable {
        var copy = ServerCopy<PlanList>()
        var schedule = PlanSchedule()
        /// The language of the copy.
        var locale: String?
        /// The zone of the copy.
        var timeZone: String?
        /// The server's revision of the copy.
        var revision: String?
        var fetchedAt: Date?
    }

    /// A copy of the plans that is older is asked for again: those that are past give way to the next.
    static let planLifetime: TimeInterval = 24 * 60 * 60

    /// Asks the server for this device's local notifications. Returns true if it has any list, also an older one.
    public func fetchPlans(locale: String, timeZone: String) async -> Bool {
        let stored = StoredValue<StoredPlans>("plans", in: folder)
        var known = stored.value() ?? StoredPlans()
        let before = (known.locale, known.timeZone, known.revision)
        let newest = (locale, timeZone, revisions?.localPlans)
        let age = known.fetchedAt.map { clock.now.timeIntervalSince($0) } ?? .infinity
        if newest.2 != nil, before == newest, (0..<Self.planLifetime).contains(age) { return true }
        if known.locale != locale || known.timeZone != timeZone { known.copy.forgetTag() }
        let query = [("locale", locale), ("time_zone", timeZone)]
        if await fetch(["local-plans", "scheduled"], query: query, into: &known.copy) {
            reportUnreadable(known.copy.value?.unreadableCount, "local notifications")
            (known.locale, known.timeZone, known.revision) = newest
            known.fetchedAt = clock.now
            write(known, to: stored)
        }
        return known.copy.value != nil
    }

    /// The notifications to add and to remove now; nil if the server's list is not known.
    public func planChanges(on device: PlanSchedule.Device) -> PlanSchedule.Changes? {
        let stored = StoredValue<StoredPlans>("plans", in: folder)
        guard var known = stored.value(), let list = known.copy.value else { return nil }
        let changes = known.schedule.update(to: list, on: device)
        schedule = known.schedule
        return changes
    }

    /// To be called when iOS has what `planChanges` said, but for these additions. A process that ends before adds them
    /// again, which is better than never.
    public func plansScheduled(failed requestIdentifiers: Set<String> = []) {
        let stored = StoredValue<StoredPlans>("plans", in: folder)
        guard var known = stored.value(), var scheduled = schedule else { return }
        scheduled.failed(requestIdentifiers)
        known.schedule = scheduled
        schedule = nil
        write(known, to: stored)
    }
}
