import JSON
import Notifications

/// A full hour as the end of a window, from 01:00 to 24:00.
enum HourText {
    static func hour(_ text: String) throws(InvalidValue) -> Int {
        var reader = TimeReader(text)
        guard let hour = reader.number(2, 1...24), reader.skip(":"), reader.number(2, 0...0) != nil, reader.isAtEnd
        else { throw InvalidValue("invalid-time-of-day", "must be a full hour from 01:00 to 24:00, like 21:00") }
        return hour
    }

    static func text(_ hour: Int) -> String { "\(hour.digits(2)):00" }
}
