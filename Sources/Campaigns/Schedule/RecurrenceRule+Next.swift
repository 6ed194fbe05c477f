public import Notifications

/// Daylight saving follows RFC 5545 §3.3.5: a local time that occurs twice means the first, and one that does not occur
/// uses the offset before the gap. If a whole day was skipped, as at Samoa's change of date, two days share a moment:
/// COUNT counts both, but it is one occurrence.
extension RecurrenceRule {
    /// The occurrences after `moment`, the earliest first, in seconds since 1970. `start` is on the same clock.
    public func occurrences(after moment: Int, from start: CivilTime, on clock: ZoneClock) -> some Sequence<Int> {
        // Larger than any offset from UTC.
        let first = moment / CivilTime.secondsPerDay - 3
        let moments = days(from: start.date, notBefore: first).lazy
            .map { clock.moment(showing: $0 * CivilTime.secondsPerDay + start.secondOfDay) }
        return sequence(state: (rest: moments.makeIterator(), last: moment)) { state -> Int? in
            while let next = state.rest.next() {
                if case .moment(let until) = end, next > until { return nil }
                guard next > state.last else { continue }
                state.last = next
                return next
            }
            return nil
        }
    }

    /// Nil when the rule has ended.
    public func next(after moment: Int, from start: CivilTime, on clock: ZoneClock) -> Int? {
        occurrences(after: moment, from: start, on: clock).first { _ in true }
    }
}
