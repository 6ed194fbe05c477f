/// What became of composing one recipient's payload.
public enum ComposeOutcome: Hashable, Sendable {
    /// So many bytes were written to the start of the buffer.
    case written(Int)
    /// A hole has nothing to show and no default that steps in; the number is the field's place in `needs`. The
    /// recipient is suppressed with this reason.
    case missing(Int)
    /// Longer than the buffer or Apple's limit. The recipient is suppressed with this reason.
    case tooLong

    /// The code with which he is suppressed; nil when he gets it.
    public var suppression: UInt8? {
        switch self {
        case .written: nil
        case .missing: OutcomeCode.suppressedValueMissing
        case .tooLong: OutcomeCode.suppressedTooLong
        }
    }
}

/// Writes recipients' payloads from a compiled content, in memory of its own that is used again and again: nothing is
/// allocated per push once the longest value and each locale and time zone have been met.
///
/// It has one owner at a time, such as a batch's sender. What it is lent it does not keep.
public final class ContentComposer {
    public let content: CompiledContent

    /// What a locale decides.
    private struct LocaleFacts {
        let variant: Int
        let symbols: NumberSymbols
    }

    private let programs: UnsafeBufferPointer<LoadedProgram>
    private let filler: HoleFiller
    private let localePlace: Int?
    private let zonePlace: Int?
    private let defaultLocale: UnsafeBufferPointer<UInt8>
    private let defaultZone: UnsafeBufferPointer<UInt8>
    private var locales = ByteTable<LocaleFacts>()

    /// `now` is what `"now" | date` means, in seconds since 1970.
    public init(_ content: CompiledContent, now: Int) {
        self.content = content
        programs = .copy(of: content.programs.map(LoadedProgram.init))
        localePlace = content.needs.firstIndex(of: .device(.locale))
        zonePlace = content.needs.firstIndex(of: .device(.timeZone))
        defaultLocale = .copy(of: Array(content.defaultLocale.utf8))
        defaultZone = .copy(of: Array(content.defaultTimeZone.utf8))
        filler = HoleFiller(
            columnCount: content.needs.count, zonePlace: zonePlace,
            zones: ZoneClocks(defaultZone: content.defaultTimeZone), now: now)
    }

    deinit {
        for program in programs { program.deallocate() }
        programs.deallocate()
        defaultLocale.deallocate()
        defaultZone.deallocate()
    }

    /// In seconds since 1970; to be moved on while a run lasts.
    public var now: Int {
        get { filler.now }
        set { filler.now = newValue }
    }

    /// Writes a recipient's payload to the start of `buffer`, the message id last, under the app's key.
    ///
    /// `values` lends the bytes of the column at a place in `content.needs`, nil for NULL; it is asked once for each,
    /// and the bytes must stay until this returns. `id` is a message id's text.
    public func compose(
        values: (Int) -> UnsafeRawBufferPointer?, id: UnsafeRawBufferPointer,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> ComposeOutcome {
        compose(variant: nil, values: values, id: id, into: buffer)
    }

    /// As above; with a variant it is that one, whatever the recipient's locale.
    func compose(
        variant: Int?, values: (Int) -> UnsafeRawBufferPointer?, id: UnsafeRawBufferPointer,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> ComposeOutcome {
        for place in filler.columns.indices { filler.columns[place] = values(place) }
        if let zonePlace, filler.columns[zonePlace]?.isEmpty ?? true {
            filler.columns[zonePlace] = UnsafeRawBufferPointer(defaultZone)
        }
        guard let localePlace else { return run(programs[variant ?? 0], id, buffer) }
        if filler.columns[localePlace]?.isEmpty ?? true {
            filler.columns[localePlace] = UnsafeRawBufferPointer(defaultLocale)
        }
        let facts = facts(of: filler.columns[localePlace] ?? UnsafeRawBufferPointer(defaultLocale))
        filler.symbols = facts.symbols
        return run(programs[variant ?? facts.variant], id, buffer)
    }

    /// The variant that a device with this locale gets.
    func variant(for locale: String?) -> Int {
        content.variant(for: locale.flatMap { $0.isEmpty ? nil : $0 } ?? content.defaultLocale)
    }

    private func facts(of locale: UnsafeRawBufferPointer) -> LocaleFacts {
        if let known = locales.value(of: locale) { return known }
        let name = String(decoding: locale, as: UTF8.self)
        let facts = LocaleFacts(variant: content.variant(for: name), symbols: NumberSymbols(locale: name))
        locales.add(locale, facts)
        return facts
    }

    private func run(
        _ program: LoadedProgram, _ id: UnsafeRawBufferPointer, _ buffer: UnsafeMutableRawBufferPointer
    ) -> ComposeOutcome {
        guard let start = buffer.baseAddress, let idStart = id.baseAddress else { return .tooLong }
        var output = JSONOutput(start, capacity: min(buffer.count, content.limit))
        var next = 0
        while next < program.steps.count {
            switch program.steps[next] {
            case .copy(let slice):
                let bytes = program.bytes(slice)
                guard output.append(bytes.baseAddress ?? idStart, bytes.count) else { return .tooLong }
            case .messageID:
                guard output.append(idStart, id.count) else { return .tooLong }
            case .hole(let index):
                let hole = program.holes[Int(index)]
                switch filler.fill(hole, of: program, into: &output) {
                case .filled: break
                case .missing: return .missing(Int(hole.field))
                case .tooLong: return .tooLong
                }
            case .test(let index, let then, let otherwise):
                next = Int(filler.holds(program.tests[Int(index)], of: program) ? then : otherwise)
                continue
            case .jump(let target):
                next = Int(target)
                continue
            }
            next &+= 1
        }
        return .written(output.count)
    }
}
