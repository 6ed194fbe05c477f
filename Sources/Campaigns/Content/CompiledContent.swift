public import JSON
public import Notifications

/// A template's or campaign's content, compiled once per run: for each locale constant bytes and holes.
///
/// It says which columns it needs; the store selects them in this order, and `ContentComposer` takes them as they stand
/// in PostgreSQL's binary rows.
public struct CompiledContent: Sendable {
    /// What the store has to select, in this order; empty where everybody gets the same.
    ///
    /// `.device` is a text column as it is. `.attribute` is the value under that path as `jsonb` (`attributes -> 'a'`,
    /// `attributes #> '{a,b}'`): its binary form keeps numbers, texts and booleans apart, and PostgreSQL has escaped it.
    /// Never `.device(.language)`.
    public let needs: [Field]
    /// Bytes of a payload at most: Apple's limit for the push type.
    public let limit: Int

    let programs: [ContentProgram]
    /// Which program a locale gets; the first is for everybody else.
    let locales: [LocaleTag: Int]
    let defaultLocale: String
    let defaultTimeZone: String

    /// Throws what `TemplateContent.report` says as errors of Liquid; other errors are not looked for again.
    public init(_ content: TemplateContent, in context: ContentContext) throws(Problems) {
        let variants = content.variants(with: context)
        var fields = ContentFields()
        if variants.count > 1 { _ = fields.place(of: .device(.locale)) }
        var programs: [ContentProgram] = []
        var problems: [Problem] = []
        for variant in variants {
            do throws(Problems) {
                let names = LiquidDateNames(locale: variant.locale ?? context.defaultLocale) ?? .english
                let program = try ContentCompiler.compile(
                    variant.payload, messageIDKey: context.messageIDKey, names: names, fields: &fields)
                programs.append(program)
            } catch {
                problems += error.problems.map { $0.inside(variant.path) }
            }
        }
        guard problems.isEmpty else { throw Problems(problems) }
        self.programs = programs
        needs = fields.needs
        limit = content.pushType.maximumPayloadSize
        let tags = variants.enumerated().compactMap { place, variant in
            variant.locale.flatMap { try? LocaleTag($0) }.map { ($0, place) }
        }
        locales = Dictionary(tags) { first, _ in first }
        defaultLocale = context.defaultLocale
        defaultTimeZone = context.defaultTimeZone
    }

    /// A payload that is the same for everybody, braces and all.
    public init(constant payload: Payload, pushType: PushType, messageIDKey: String) {
        programs = [ContentCompiler.constant(payload.encoded(), messageIDKey: messageIDKey)]
        needs = []
        limit = pushType.maximumPayloadSize
        locales = [:]
        defaultLocale = ContentContext.standardLocale
        defaultTimeZone = ContentContext.standardTimeZone
    }

    /// One hole, to be measured. Nothing is around it, and no message id.
    init(hole: LiquidOutput, names: LiquidDateNames, in context: ContentContext) {
        var fields = ContentFields()
        programs = [ContentCompiler.compile(hole: hole, names: names, fields: &fields)]
        needs = fields.needs
        limit = .max
        locales = [:]
        defaultLocale = context.defaultLocale
        defaultTimeZone = context.defaultTimeZone
    }

    private init(_ content: CompiledContent, limit: Int) {
        needs = content.needs
        self.limit = limit
        programs = content.programs
        locales = content.locales
        defaultLocale = content.defaultLocale
        defaultTimeZone = content.defaultTimeZone
    }

    /// The same for somebody who wants to see how much too long a payload is.
    var withoutLimit: CompiledContent { CompiledContent(self, limit: .max) }

    /// The variant for a device's locale.
    func variant(for locale: String) -> Int {
        guard let tag = try? LocaleTag(locale) else { return 0 }
        return tag.fallback.lazy.compactMap { locales[$0] }.first ?? 0
    }
}
