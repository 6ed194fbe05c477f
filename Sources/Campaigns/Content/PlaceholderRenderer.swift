/// Renders placeholders and evaluates conditions, for one recipient at a time.
final class PlaceholderRenderer {
    /// The columns of the current recipient, owned by the store.
    let columns: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>
    /// The number format of the recipient's locale.
    var symbols = NumberSymbols(locale: "")
    var now: Int
    var showsMarks = false
    private let zoneIndex: Int?
    private var zones: ZoneOffsetCache
    /// Two buffers that filters alternate between: one contains the input, the other receives the output.
    private let first = ScratchBuffer()
    private let second = ScratchBuffer()

    init(columnCount: Int, zoneIndex: Int?, zones: ZoneOffsetCache, now: Int) {
        columns = .allocate(capacity: columnCount)
        columns.initialize(repeating: nil)
        self.zoneIndex = zoneIndex
        self.zones = zones
        self.now = now
    }

    deinit {
        columns.deallocate()
    }

    enum RenderResult {
        case filled
        /// There is no value, and no default.
        case missing
        /// There is a value, but not one that the placeholder can show: a list, no date for `date`, no number for
        /// `as_number`. A default does not replace such a value, except a list or an object.
        case unusable
        case tooLong
    }

    func render(
        _ placeholder: ContentProgram.Placeholder, of program: LoadedProgram, into output: inout JSONOutput
    ) -> RenderResult {
        var isField = placeholder.source.isField
        var isOwn = isField
        var value = value(placeholder.source, of: program, first)
        var isInFirst = true
        for index in Int(placeholder.firstFilter)..<Int(placeholder.firstFilter &+ placeholder.filterCount) {
            let isEmpty = isField && (value.isMissing || value.isCompound)
            let filter = program.filters[index]
            if case .default(let operand) = filter {
                guard isEmpty || value.kind == .no else { continue }
                isField = operand.isField
                isOwn = isField
                value = self.value(operand, of: program, first)
                isInFirst = true
            } else if !isEmpty {
                let filtered = apply(filter, to: value, of: program, isInFirst ? second : first)
                // A template's own text that is no date is for its author to see. A value of a recipient is not.
                guard let filtered = filtered ?? (isOwn && !(showsMarks && value.isMark) ? nil : value) else {
                    return .unusable
                }
                // A filter that changes nothing returns its input, in the same memory.
                if filtered.bytes.baseAddress != value.bytes.baseAddress { isInFirst.toggle() }
                value = LiquidValue(.text, filtered.bytes)
                isField = false
            }
        }
        if isField, value.isMissing { return .missing }
        if isField, value.isCompound { return .unusable }
        if case .text = placeholder.form { return output.appendEscaped(value.bytes) ? .filled : .tooLong }
        let isCount = placeholder.form == .count
        guard let number = NumberFilter.plain(value, isCount: isCount, isInFirst ? second : first),
            let start = number.baseAddress
        else { return .unusable }
        return output.append(start, number.count) ? .filled : .tooLong
    }

    /// Nil when the filter can't use the value.
    private func apply(
        _ filter: ContentProgram.Filter, to value: LiquidValue, of program: LoadedProgram, _ scratch: ScratchBuffer
    ) -> LiquidValue? {
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
        zones.offset(of: zoneIndex.flatMap { columns[$0] }, at: moment)
    }

    // MARK: Conditions

    func isSatisfied(_ test: ContentProgram.Test, of program: LoadedProgram) -> Bool {
        let left = value(test.left, of: program, first)
        guard let comparison = test.comparison else { return left.isTruthy }
        let right = value(test.right, of: program, second)
        if let isSpecial = Self.isSpecial(left, test.right) ?? Self.isSpecial(right, test.left) {
            return isSpecial == (comparison == .equal)
        }
        return LiquidValue.compare(left, comparison, right, asVersions: test.asVersions, first)
    }

    /// Whether `value` is empty or blank, if `operand` is that keyword; nil for other operands.
    private static func isSpecial(_ value: LiquidValue, _ operand: ContentProgram.Operand) -> Bool? {
        switch operand {
        case .empty: value.isEmpty
        case .blank: value.isBlank
        case .column, .attribute, .language, .text, .number, .bool, .nothing: nil
        }
    }

    // MARK: Values

    private func value(
        _ operand: ContentProgram.Operand, of program: LoadedProgram, _ scratch: ScratchBuffer
    ) -> LiquidValue {
        switch operand {
        case .column(let position): LiquidValue(text: columns[Int(position)])
        case .attribute(let position): LiquidValue(json: columns[Int(position)], scratch)
        case .language(let position): LiquidValue(text: columns[Int(position)].map(Self.language))
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
    /// Whether the operand is a field of the recipient; literals are never missing.
    fileprivate var isField: Bool {
        switch self {
        case .column, .attribute, .language: true
        case .text, .number, .bool, .nothing, .empty, .blank: false
        }
    }
}

extension LiquidValue {
    fileprivate var isMark: Bool { kind == .text && bytes.starts(with: "⟨".utf8) }
}
