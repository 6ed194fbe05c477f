/// The occurrence that should start now. Several that were missed count as one, the latest.
public struct DueOccurrence: Hashable, Sendable {
    public let occurrence: Occurrence
    /// The number of occurrences that were due before it and never started.
    public let missedBefore: Int
    /// The next occurrence; nil if the schedule ends with this one.
    public let next: Occurrence?
}

extension Schedule {
    /// Nil when none is due that begins after `handled`: the `first` of the last one started or skipped or, before any,
    /// a moment just before the campaign was scheduled. Planning begins `lead` seconds before the first is due.
    public func due(after handled: Int, now: Int, lead: Int) -> DueOccurrence? {
        var latest: Occurrence?
        var missed = -1
        for occurrence in occurrences(after: handled) {
            guard occurrence.planningStart(lead: lead) <= now else {
                return latest.map { DueOccurrence(occurrence: $0, missedBefore: missed, next: occurrence) }
            }
            latest = occurrence
            missed += 1
        }
        return latest.map { DueOccurrence(occurrence: $0, missedBefore: missed, next: nil) }
    }
}
