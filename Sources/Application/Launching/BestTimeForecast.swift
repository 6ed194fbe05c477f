import Experiments

/// At which hours of their own clocks the recipients of a run at their best time get it.
public struct BestTimeForecast: Sendable {
    /// Devices by the hours of the window.
    public let hours: [(hour: Int, devices: Int)]
    /// The hour that is best for all together, and which those without a past get.
    public let usualHour: Int
    /// Devices with an hour of their own, from what they have opened.
    public let personal: Int

    init(_ time: BestTime, _ count: DispositionCount) {
        hours = time.hours.enumerated().map { (hour: $1, devices: count.places[$0] ?? 0) }
        usualHour = time.hours[time.usual]
        personal = count.personal
    }
}
