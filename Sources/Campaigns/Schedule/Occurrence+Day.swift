public import Notifications

extension Occurrence {
    /// The day on which it takes place: the one on all recipients' clocks, or the one in the zone.
    public func day(in zone: String) -> CivilDay {
        switch self {
        case .local(let time, _): time.date
        case .at(let moment):
            CivilDay(number: CivilDay.floorDivide(ZoneClock(named: zone)?.local(moment) ?? moment, 86_400))
        }
    }
}
