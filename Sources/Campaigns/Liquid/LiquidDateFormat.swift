import JSON

/// The argument of `date`: a subset of strftime, divided once.
///
/// `%Y %y %m %d %e %j` year, month, day, day padded by a space, day of the year; `%H %k %I %l %M %S %p %P` hours of 24
/// and of 12 (`k`, `l` padded by a space), minutes, seconds, AM and am; `%A %a %B %b %h` names of days and months; `%u
/// %w` day of the week from Monday 1 and from Sunday 0; `%F %T %R %D` for `%Y-%m-%d`, `%H:%M:%S`, `%H:%M`, `%m/%d/%y`;
/// `%%`. A hyphen takes the padding away: `%-d`.
struct LiquidDateFormat: Equatable {
    enum Part: Equatable {
        case text(String)
        case number(Number, Padding)
        case name(Name)
        case meridiem(isUpper: Bool)
    }

    enum Number: UInt8 {
        case year, yearOfCentury, month, day, dayOfYear, hour, hour12, minute, second, weekdayFromMonday,
            weekdayFromSunday

        var width: Int {
            switch self {
            case .year: 4
            case .dayOfYear: 3
            case .weekdayFromMonday, .weekdayFromSunday: 1
            case .yearOfCentury, .month, .day, .hour, .hour12, .minute, .second: 2
            }
        }
    }

    enum Padding: UInt8 { case none, zero, space }
    enum Name: UInt8 { case weekday, shortWeekday, month, shortMonth }

    let parts: [Part]

    init(_ format: String) throws(LiquidFilter.Fault) {
        var parts: [Part] = []
        var text = ""
        var rest = format.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard LiquidCharacter.replacement(for: scalar) != "%" else {
                throw Self.fault("contains \(LiquidCharacter.description(of: scalar)) in place of %")
            }
            guard scalar == "%" else {
                text.unicodeScalars.append(scalar)
                continue
            }
            let isBare = rest.first == "-"
            if isBare { rest.removeFirst() }
            guard let letter = rest.popFirst() else { throw Self.fault("ends with %; write %% for a percent sign") }
            guard letter != "%" else {
                text += "%"
                continue
            }
            guard let found = Self.parts(letter) else { throw Self.fault("contains the unknown directive %\(letter)") }
            if !text.isEmpty { parts.append(.text(text)) }
            text = ""
            for part in found {
                if isBare, case .number(let number, _) = part {
                    parts.append(.number(number, .none))
                } else {
                    parts.append(part)
                }
            }
        }
        if !text.isEmpty { parts.append(.text(text)) }
        self.parts = parts
    }

    /// Whether the names of days or months are written.
    var hasNames: Bool { parts.contains { if case .name = $0 { true } else { false } } }

    /// The format with the signs that were meant by full-width ones; other text stays.
    static func mended(_ format: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
        var isDirective = false
        return format.map { scalar in
            let meant = LiquidCharacter.replacement(for: scalar)?.unicodeScalars.first ?? scalar
            let isPart = isDirective || meant == "%"
            isDirective = meant == "%" && !isDirective || isDirective && meant == "-"
            return isPart ? meant : scalar
        }
    }

    private static func fault(_ what: Message) -> LiquidFilter.Fault {
        LiquidFilter.Fault(
            code: "date-format",
            message:
                "the format of date \(what); use \(directives.map { "%\($0)" }.joined(separator: " ")) and %%")
    }

    private static let directives = "YymdejHkIlMSpPAaBbhuwFTRD"

    private static func parts(_ letter: Unicode.Scalar) -> [Part]? {
        switch letter {
        case "Y": [.number(.year, .zero)]
        case "y": [.number(.yearOfCentury, .zero)]
        case "m": [.number(.month, .zero)]
        case "d": [.number(.day, .zero)]
        case "e": [.number(.day, .space)]
        case "j": [.number(.dayOfYear, .zero)]
        case "H": [.number(.hour, .zero)]
        case "k": [.number(.hour, .space)]
        case "I": [.number(.hour12, .zero)]
        case "l": [.number(.hour12, .space)]
        case "M": [.number(.minute, .zero)]
        case "S": [.number(.second, .zero)]
        case "p": [.meridiem(isUpper: true)]
        case "P": [.meridiem(isUpper: false)]
        case "A": [.name(.weekday)]
        case "a": [.name(.shortWeekday)]
        case "B": [.name(.month)]
        case "b", "h": [.name(.shortMonth)]
        case "u": [.number(.weekdayFromMonday, .none)]
        case "w": [.number(.weekdayFromSunday, .none)]
        case "F": [.number(.year, .zero), .text("-"), .number(.month, .zero), .text("-"), .number(.day, .zero)]
        case "T": [.number(.hour, .zero), .text(":"), .number(.minute, .zero), .text(":"), .number(.second, .zero)]
        case "R": [.number(.hour, .zero), .text(":"), .number(.minute, .zero)]
        case "D":
            [.number(.month, .zero), .text("/"), .number(.day, .zero), .text("/"), .number(.yearOfCentury, .zero)]
        default: nil
        }
    }
}
