/// The result of composing one recipient's payload.
public enum ComposeOutcome: Hashable, Sendable {
    /// The number of bytes written to the start of the buffer.
    case written(Int)
    /// A placeholder has no value and no default; the number is the index of the field in `needs`. The recipient is
    /// suppressed with this reason.
    case missing(Int)
    /// A placeholder has a value that it can't show; the number is the index of the field in `needs`. The recipient is
    /// suppressed with this reason.
    case unusable(Int)
    /// Longer than the buffer or Apple's limit. The recipient is suppressed with this reason.
    case tooLong

    /// The outcome code of a suppressed recipient; nil if the payload was written.
    public var suppression: UInt8? {
        switch self {
        case .written: nil
        case .missing: OutcomeCode.suppressedValueMissing
        case .unusable: OutcomeCode.suppressedValueUnusable
        case .tooLong: OutcomeCode.suppressedTooLong
        }
    }
}

/// Writes the payloads of recipients from compiled content. It reuses its own memory: nothing is allocated per push
/// once the longest value and each locale and time zone have occurred.
///
/// It has one owner at a time, such as a batch's sender. It does not retain the buffers that it is passed.
public final class ContentComposer {
    public let content: CompiledContent

    /// The values that depend on the recipient's locale.
    private struct LocaleFacts {
        let variant: Int
        let symbols: NumberSymbols
    }

    private let programs: UnsafeBufferPointer<LoadedProgram>
    private let renderer: PlaceholderRenderer
    private let localeIndex: Int?
    private let zoneIndex: Int?
    private let defaultLocale: UnsafeBufferPointer<UInt8>
    private let defaultZone: UnsafeBufferPointer<UInt8>
    private var locales = ByteKeyedCache<LocaleFacts>()
    /// For payloads that are only tried, and some ID.
    private var trialBuffer: UnsafeMutableRawBufferPointer?

    /// `now` is what `"now" | date` means, in seconds since 1970.
    public init(_ content: CompiledContent, now: Int) {
        self.content = content
        programs = .copy(of: content.programs.map(LoadedProgram.init))
        localeIndex = content.needs.firstIndex(of: .device(.locale))
        zoneIndex = content.needs.firstIndex(of: .device(.timeZone))
        defaultLocale = .copy(of: Array(content.defaultLocale.utf8))
        defaultZone = .copy(of: Array(content.defaultTimeZone.utf8))
        renderer = PlaceholderRenderer(
            columnCount: content.needs.count, zoneIndex: zoneIndex,
            zones: ZoneOffsetCache(defaultZone: content.defaultTimeZone), now: now)
    }

    deinit {
        for program in programs { program.deallocate() }
        programs.deallocate()
        defaultLocale.deallocate()
        defaultZone.deallocate()
        trialBuffer?.deallocate()
    }

    /// In seconds since 1970; the owner updates it during a run.
    public var now: Int {
        get { renderer.now }
        set { renderer.now = newValue }
    }

    /// Whether `date` writes ⟨name⟩, a preview's mark for a value that is missing or not usable.
    var showsMarks: Bool {
        get { renderer.showsMarks }
        set { renderer.showsMarks = newValue }
    }

    /// Writes a recipient's payload to the start of `buffer`, the message id last, under the app's key.
    ///
    /// `values` returns the bytes of the column at an index of `content.needs`, nil for NULL. It is called once per
    /// column, and the bytes must stay valid until this returns. `id` is a message id's text.
    public func compose(
        values: (Int) -> UnsafeRawBufferPointer?, id: UnsafeRawBufferPointer,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> ComposeOutcome {
        compose(variant: nil, values: values, id: id, into: buffer)
    }

    /// The code of the reason why a recipient with these values can't get this content; nil if it can. A payload that is
    /// too long is no such reason: what one variant says is not measured by the length of another.
    public func refusal(_ values: (Int) -> UnsafeRawBufferPointer?) -> UInt8? {
        let outcome = trial(values)
        return if case .tooLong = outcome { nil } else { outcome.suppression }
    }

    /// Composes a payload that nobody gets.
    public func trial(_ values: (Int) -> UnsafeRawBufferPointer?) -> ComposeOutcome {
        let trial = trialBuffer ?? .allocate(byteCount: content.limit + MessageID.textLength, alignment: 8)
        trialBuffer = trial
        return compose(
            values: values, id: UnsafeRawBufferPointer(rebasing: trial[content.limit...]),
            into: UnsafeMutableRawBufferPointer(rebasing: trial[..<content.limit]))
    }

    /// As above; `variant` overrides the choice by the recipient's locale.
    func compose(
        variant: Int?, values: (Int) -> UnsafeRawBufferPointer?, id: UnsafeRawBufferPointer,
        into buffer: UnsafeMutableRawBufferPointer
    ) -> ComposeOutcome {
        for index in renderer.columns.indices { renderer.columns[index] = values(index) }
        if let zoneIndex, renderer.columns[zoneIndex]?.isEmpty ?? true {
            renderer.columns[zoneIndex] = UnsafeRawBufferPointer(defaultZone)
        }
        guard let localeIndex else { return run(programs[variant ?? 0], id, buffer) }
        if renderer.columns[localeIndex]?.isEmpty ?? true {
            renderer.columns[localeIndex] = UnsafeRawBufferPointer(defaultLocale)
        }
        let facts = facts(of: renderer.columns[localeIndex] ?? UnsafeRawBufferPointer(defaultLocale))
        renderer.symbols = facts.symbols
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
            case .placeholder(let index):
                let placeholder = program.placeholders[Int(index)]
                switch renderer.render(placeholder, of: program, into: &output) {
                case .filled: break
                case .missing: return .missing(Int(placeholder.field))
                case .unusable: return .unusable(Int(placeholder.field))
                case .tooLong: return .tooLong
                }
            case .test(let index, let then, let otherwise):
                next = Int(renderer.isSatisfied(program.tests[Int(index)], of: program) ? then : otherwise)
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
