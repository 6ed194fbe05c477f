public import JSON
public import Notifications

/// A template's or campaign's content, compiled once per run: for each locale constant bytes and placeholders.
///
/// `needs` lists the required columns; the store selects them in this order, and `ContentComposer` reads them from
/// PostgreSQL's binary rows.
public struct CompiledContent: Sendable {
    /// The columns that the store selects, in this order; empty if all recipients get the same payload.
    ///
    /// `.device` is a text column as it is. `.attribute` is the value under that path as `jsonb` (`attributes -> 'a'`,
    /// `attributes #> '{a,b}'`): its binary form distinguishes numbers, texts and booleans, and is valid JSON.
    /// Never `.device(.language)`.
    public private(set) var needs: [Field]
    /// Bytes of a payload at most: Apple's limit for the push type.
    public let limit: Int

    let programs: [ContentProgram]
    /// The index of the program for each locale; the first program is the default.
    let locales: [LocaleTag: Int]
    /// The locales of the programs as the template spells them.
    private let spellings: [String?]
    let defaultLocale: String
    let defaultTimeZone: String

    /// Throws the errors of Liquid that `TemplateContent.report` reports; other errors are not checked again.
    public init(_ content: TemplateContent, in context: ContentContext) throws(Problems) {
        var fields = ContentFields()
        try self.init(content, in: context, &fields)
    }

    /// One of several contents that read their values from the same columns: `fields` collects those of all, and
    /// `reading` has to follow when they are complete.
    public init(
        _ content: TemplateContent, in context: ContentContext, _ fields: inout ContentFields
    ) throws(Problems) {
        let variants = content.variants(with: context)
        if variants.count > 1 { _ = fields.index(of: .device(.locale)) }
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
        let tags = variants.enumerated().compactMap { index, variant in
            variant.locale.flatMap { try? LocaleTag($0) }.map { ($0, index) }
        }
        locales = Dictionary(tags) { first, _ in first }
        spellings = variants.map(\.locale)
        defaultLocale = context.defaultLocale
        defaultTimeZone = context.defaultTimeZone
    }

    /// A payload that is the same for all recipients, as the bytes of an object.
    public init(constant payload: Payload, pushType: PushType, messageIDKey: String) {
        programs = [ContentCompiler.constant(payload.encoded(), messageIDKey: messageIDKey)]
        needs = []
        limit = pushType.maximumPayloadSize
        locales = [:]
        spellings = [nil]
        defaultLocale = ContentContext.standardLocale
        defaultTimeZone = ContentContext.standardTimeZone
    }

    /// A single placeholder without a payload or message id, to be measured.
    init(placeholder: LiquidOutput, names: LiquidDateNames, in context: ContentContext) {
        var fields = ContentFields()
        programs = [ContentCompiler.compile(placeholder: placeholder, names: names, fields: &fields)]
        needs = fields.needs
        limit = .max
        locales = [:]
        spellings = [nil]
        defaultLocale = context.defaultLocale
        defaultTimeZone = context.defaultTimeZone
    }

    private init(_ content: CompiledContent, limit: Int) {
        needs = content.needs
        self.limit = limit
        programs = content.programs
        locales = content.locales
        spellings = content.spellings
        defaultLocale = content.defaultLocale
        defaultTimeZone = content.defaultTimeZone
    }

    /// The same content, for rows with these columns, which begin with those that it was compiled with.
    public func reading(_ fields: ContentFields) -> CompiledContent {
        var content = self
        content.needs = fields.needs
        return content
    }

    /// Whether a recipient's values can keep it from being composed.
    public var dependsOnValues: Bool { programs.contains { !$0.placeholders.isEmpty } }

    /// The same content without the size limit, to show how much a payload exceeds it.
    var withoutLimit: CompiledContent { CompiledContent(self, limit: .max) }

    /// The locale of the variant for a device's locale, as the template spells it; nil: the default payload.
    public func variantLocale(for locale: String?) -> String? {
        spellings[variant(for: locale.flatMap { $0.isEmpty ? nil : $0 } ?? defaultLocale)]
    }

    /// The variant for a device's locale.
    func variant(for locale: String) -> Int {
        guard let tag = LocaleTag.locale(locale) else { return 0 }
        return tag.best(among: locales.keys, standard: LocaleTag.locale(defaultLocale)).flatMap { locales[$0] } ?? 0
    }
}
