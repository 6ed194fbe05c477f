import Notifications

/// `date`: a moment in the recipient's time zone, or a local time unchanged. `now` and `today` are the time of
/// composition. Nil for a value that is not a date.
struct DateFilter {
    /// A piece of the compiled format.
    enum Part: Sendable {
        case text(Slice)
        case number(LiquidDateFormat.Number, LiquidDateFormat.Padding)
        case name(LiquidDateFormat.Name)
        case meridiem(isUpper: Bool)
    }

    let parts: UnsafeBufferPointer<Part>
    /// Its names are weekdays from Sunday, short weekdays, months and short months.
    let program: LoadedProgram

    func apply(to value: LiquidValue, now: Int, _ offset: (Int) -> Int, _ scratch: ScratchBuffer) -> LiquidValue? {
        let date = value.isNow ? .moment(now) : DateText(value)
        let seconds: Int? =
            switch date {
            case .moment(let moment): CivilTime(seconds: moment) == nil ? nil : moment + offset(moment)
            case .local(let seconds): seconds
            case nil: nil
            }
        guard let time = seconds.flatMap(CivilTime.init(seconds:)) else { return nil }
        var output = NumberOutput(scratch.reserve(length))
        for part in parts { write(part, time, into: &output) }
        return LiquidValue(.text, output.bytes)
    }

    /// Bytes at most.
    private var length: Int {
        let longestName = program.names.reduce(0) { max($0, Int($1.count)) }
        return parts.reduce(0) { length, part in
            switch part {
            case .text(let text): length + Int(text.count)
            case .number(let number, _): length + number.width
            case .name: length + longestName
            case .meridiem: length + 2
            }
        }
    }

    private func write(_ part: Part, _ time: CivilTime, into output: inout NumberOutput) {
        switch part {
        case .text(let slice): output.append(program.bytes(slice))
        case .number(let number, let padding):
            output.append(number.value(time), width: padding == .none ? 1 : number.width, padding)
        case .name(let name):
            let index =
                switch name {
                case .weekday: time.date.weekday - 1
                case .shortWeekday: 6 + time.date.weekday
                case .month: 13 + time.date.month
                case .shortMonth: 25 + time.date.month
                }
            output.append(program.bytes(program.names[index]))
        case .meridiem(let isUpper):
            let letter = time.hour < 12 ? UInt8(ascii: "A") : UInt8(ascii: "P")
            output.append(isUpper ? letter : letter | 0x20)
            output.append(isUpper ? UInt8(ascii: "M") : UInt8(ascii: "m"))
        }
    }
}

extension LiquidValue {
    fileprivate var isNow: Bool {
        guard kind == .text, bytes.count == 3 || bytes.count == 5 else { return false }
        return bytes.elementsEqual("now".utf8) || bytes.elementsEqual("today".utf8)
    }
}

extension LiquidDateFormat.Number {
    fileprivate func value(_ time: CivilTime) -> Int {
        switch self {
        case .year: time.date.year
        case .yearOfCentury: time.date.year % 100
        case .month: time.date.month
        case .day: time.date.day
        case .dayOfYear: time.dayOfYear
        case .hour: time.hour
        case .hour12: (time.hour + 11) % 12 + 1
        case .minute: time.minute
        case .second: time.second
        case .weekdayFromMonday: (time.date.weekday + 5) % 7 + 1
        case .weekdayFromSunday: time.date.weekday - 1
        }
    }
}

extension NumberOutput {
    fileprivate mutating func append(_ value: Int, width: Int, _ padding: LiquidDateFormat.Padding) {
        var scale = 1
        var digits = 1
        while value / scale >= 10 {
            scale *= 10
            digits += 1
        }
        for _ in 0..<max(width - digits, 0) { append(UInt8(ascii: padding == .space ? " " : "0")) }
        while scale > 0 {
            append(UInt8(ascii: "0") + UInt8(value / scale % 10))
            scale /= 10
        }
    }
}
