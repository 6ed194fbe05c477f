import Foundation

/// The name of an event's file: `<milliseconds>-<uptime>-<random>.event`. While a sender holds it, the name is
/// `<the same>.<milliseconds of the claim>.claimed`. Names order the queue, as file times change with a restore.
struct EventFile: Equatable {
    /// A claim of this age belonged to a process that has ended: no request takes that long.
    static let claimLifetime: TimeInterval = 120
    /// No event is recorded later, whatever the clock says.
    static let endOfTime = Date(timeIntervalSince1970: .infinity)
    static let suffix = "event"
    static let claimSuffix = "claimed"
    static let writingSuffix = "writing"

    let stem: String
    let claimedAt: Int64?

    init(at date: Date, uptime: UInt64) {
        stem =
            "\(Self.padded(Self.milliseconds(date), 15))-\(Self.padded(Int64(clamping: uptime), 19))-\(UUID().uuidString)"
        claimedAt = nil
    }

    /// Nil for a file that is not the queue's, such as one that is still being written.
    init?(name: String) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        switch (parts.count, parts.last.map(String.init)) {
        case (2, Self.suffix): claimedAt = nil
        case (3, Self.claimSuffix):
            guard let time = Self.number(parts[1]) else { return nil }
            claimedAt = time
        default: return nil
        }
        stem = String(parts[0])
    }

    var name: String { "\(stem).\(Self.suffix)" }
    /// The name while the event is being written. It doesn't parse, so no reader sees half an event.
    var temporaryName: String { "\(stem).\(Self.writingSuffix)" }

    func claimName(at date: Date) -> String { "\(stem).\(Self.milliseconds(date)).\(Self.claimSuffix)" }

    /// True if the event was recorded by then, to the millisecond.
    func isRecorded(by date: Date) -> Bool {
        // Behind the time, a name has a hyphen, which precedes the dot.
        stem < "\(Self.padded(Self.milliseconds(date), 15))."
    }

    /// True if a sender may take the file. A claim from the far future is from before the clock was set back; one from
    /// the near future is another process's, which was made after this one had looked at the clock.
    func isFree(at date: Date) -> Bool {
        guard let claimedAt else { return true }
        return abs(Double(Self.milliseconds(date)) - Double(claimedAt)) > Self.claimLifetime * 1_000
    }

    /// True for the name of a file whose process ended while it wrote: one that lies so many seconds away from now, in
    /// either direction, as the clock may have been wrong.
    static func isAbandoned(_ name: String, at date: Date, after seconds: TimeInterval) -> Bool {
        guard name.hasSuffix(".\(writingSuffix)"), let time = name.split(separator: "-").first.flatMap(number)
        else { return false }
        return abs(Double(time) - Double(milliseconds(date))) > seconds * 1_000
    }

    /// Bounded, so that no clock overflows the number; 0 if it is not a number.
    static func milliseconds(_ date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        return milliseconds > 0 ? Int64(min(milliseconds, 999_999_999_999_999)) : 0
    }

    /// The digits in a name as a number. `Int64` of a substring would be compiled into each caller.
    static func number(_ digits: Substring) -> Int64? { Int64(String(digits)) }

    /// Digits with zeros in front: texts of one width have the order of their numbers.
    static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}
