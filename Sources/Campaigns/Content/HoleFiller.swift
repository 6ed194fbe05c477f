/// Runs holes and conditions for one recipient after the other.
final class HoleFiller {
    /// What the store has lent for this recipient.
    let columns: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>
    /// The recipient's country writes numbers so.
    var symbols = NumberSymbols(locale: "")
    var now: Int
    private let zonePlace: Int?
    private var zones: ZoneClocks
    /// A text on its way through filters stands in one of them while the next is written into the other.
    private let first = Scratch()
    private let second = Scratch()

    init(columnCount: Int, zonePlace: Int?, zones: ZoneClocks, now: Int) {
        columns = .allocate(capacity: columnCount)
        columns.initialize(repeating: nil)
        self.zonePlace = zonePlace
        self.zones = zones
        self.now = now
    }

    deinit {
        columns.deallocate()
    }

    enum Filling { case filled, missing, tooLong }

    func fill(_ hole: ContentProgram.Hole, of program: LoadedProgram, into output: inout JSONOutput) -> Filling {
        var value = value(hole.source, of: program, first)
        var isMissing = hole.source.isField && value.isMissing
        var isInFirst = true
        for index in Int(hole.firstFilter)..<Int(hole.firstFilter &+ hole.filterCount) {
            let filter = program.filters[index]
            if case .default(let operand) = filter {
                guard isMissing || value.kind == .no else { continue }
                value = self.value(operand, of: program, first)
                isMissing = operand.isField && value.isMissing
                isInFirst = true
            } else if !isMissing {
                let filtered = apply(filter, to: value, of: program, isInFirst ? second : first)
                // A filter that has nothing to do gives the value back, from where it stands.
                if filtered.bytes.baseAddress != value.bytes.baseAddress { isInFirst.toggle() }
                value = LiquidValue(.text, filtered.bytes)
            }
        }
        if isMissing { return .missing }
        switch hole.form {
        case .text: return output.appendEscaped(value.bytes) ? .filled : .tooLong
        case .number, .count:
            guard value.isNumber(whole: hole.form == .count), let start = value.bytes.baseAddress else {
                return .missing
            }
            return output.append(start, value.bytes.count) ? .filled : .tooLong
        }
    }

    private func apply(
        _ filter: ContentProgram.Filter, to value: LiquidValue, of program: LoadedProgram, _ scratch: Scratch
    ) -> LiquidValue {
        switch filter {
        case .default: return value
        case .upcase: return CaseFilter.upper.apply(to: value, scratch)
        case .downcase: return CaseFilter.lower.apply(to: value, scratch)
        case .capitalize: return CaseFilter.capitalized.apply(to: value, scratch)
        case .truncate(let length, let ellipsis, let ellipsisLength):
            return TruncateFilter.apply(
                to: value, length: Int(length), ellipsis: program.bytes(ellipsis), ellipsisLength: Int(ellipsisLength),
                scratch)
        case .number(let decimals):
            return NumberFilter.apply(
                to: value, decimals: decimals < 0 ? nil : Int(decimals), symbols: symbols, scratch)
        case .date(let first, let count):
            let filter = DateFilter(
                parts: UnsafeBufferPointer(rebasing: program.dateParts[Int(first)..<Int(first &+ count)]),
                program: program)
            return filter.apply(to: value, now: now, offset, scratch)
        }
    }

    private func offset(at moment: Int) -> Int {
        zones.offset(of: zonePlace.flatMap { columns[$0] }, at: moment)
    }

    // MARK: Conditions

    func holds(_ test: ContentProgram.Test, of program: LoadedProgram) -> Bool {
        let left = value(test.left, of: program, first)
        guard let comparison = test.comparison else { return left.isTruthy }
        let right = value(test.right, of: program, second)
        if let isSpecial = Self.isSpecial(left, test.right) ?? Self.isSpecial(right, test.left) {
            return isSpecial == (comparison == .equal)
        }
        return LiquidValue.compare(left, comparison, right, asVersions: test.asVersions, first)
    }

    /// Whether `value` is what the word beside it says; nil when that is no such word.
    private static func isSpecial(_ value: LiquidValue, _ operand: ContentProgram.Operand) -> Bool? {
        switch operand {
        case .empty: value.isEmpty
        case .blank: value.isBlank
        case .column, .attribute, .language, .text, .number, .bool, .nothing: nil
        }
    }

    // MARK: Values

    private func value(
        _ operand: ContentProgram.Operand, of program: LoadedProgram, _ scratch: Scratch
    ) -> LiquidValue {
        switch operand {
        case .column(let place): LiquidValue(text: columns[Int(place)])
        case .attribute(let place): LiquidValue(json: columns[Int(place)], scratch)
        case .language(let place): LiquidValue(text: columns[Int(place)].map(Self.language))
        case .text(let slice): LiquidValue(.text, program.bytes(slice))
        case .number(let slice): LiquidValue(.number, program.bytes(slice))
        case .bool(let value): .bool(value)
        case .nothing, .empty, .blank: .nothing
        }
    }

    private static func language(of locale: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let end = locale.firstIndex { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "@") }
        return UnsafeRawBufferPointer(rebasing: locale[..<(end ?? locale.count)])
    }
}

extension ContentProgram.Operand {
    /// What is written in the template is never missing.
    fileprivate var isField: Bool {
        switch self {
        case .column, .attribute, .language: true
        case .text, .number, .bool, .nothing, .empty, .blank: false
        }
    }
}

extension LiquidValue {
    /// Whether it may stand as a number in JSON; with `whole`, where Apple wants a count.
    fileprivate func isNumber(whole: Bool) -> Bool {
        guard kind == .number || kind == .text, NumberText.isJSON(bytes) else { return false }
        return !whole || (NumberText.whole(bytes).map { $0 >= 0 } ?? false && bytes.first != UInt8(ascii: "-"))
    }
}
