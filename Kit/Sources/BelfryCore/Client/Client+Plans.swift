import Foundation

extension Client {
    /// What the kit knows about local notifications, in one file.
    struct StoredPlans: Codable, Sendable {
        var copy = ServerCopy<PlanList>()
        var schedule = PlanSchedule()
        /// The language and the zone of the copy.
        var locale: String?
        var timeZone: String?
    }

    /// Asks the server for this device's local notifications. Returns true if it has any list, also an older one.
    public func fetchPlans(locale: String, timeZone: String) async -> Bool {
        let stored = StoredValue<StoredPlans>("plans", in: folder)
        var known = stored.value() ?? StoredPlans()
        let isElsewhere = known.locale != locale || known.timeZone != timeZone
        if isElsewhere { known.copy.forgetTag() }
        let isChanged = await fetch(
            ["local-plans", "scheduled"], query: ["locale": locale, "time_zone": timeZone], into: &known.copy)
        if isChanged || isElsewhere {
            known.locale = locale
            known.timeZone = timeZone
            write(known, to: stored)
        }
        return known.copy.value != nil
    }

    /// What to add and to remove now; nil if the server's list is not known.
    public func planChanges(on device: PlanSchedule.Device) -> PlanSchedule.Changes? {
        let stored = StoredValue<StoredPlans>("plans", in: folder)
        guard var known = stored.value(), let list = known.copy.value else { return nil }
        let changes = known.schedule.update(to: list, on: device)
        write(known, to: stored)
        return changes
    }
}
