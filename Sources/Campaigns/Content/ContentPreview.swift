public import JSON
import Notifications

/// What one person would get, in each of a content's locales.
public struct ContentPreview: Sendable, Equatable {
    /// The place in `variants` of the one that the person's locale leads to.
    public let chosen: Int
    /// The payload for everybody first, then the variants in their order.
    public let variants: [Variant]

    public struct Variant: Sendable, Equatable {
        /// Nil for the payload for everybody.
        public let locale: String?
        /// As it will be sent, with an id of zeros. Where something is missing its name stands in its place, ⟨like this⟩
        /// or as 0 where a number belongs, and nothing would be sent. Nil when it is too long to show.
        public let payload: JSON?
        /// Bytes of that payload.
        public let length: Int
        /// The least, the worst case over all devices, and Apple's limit.
        public let size: ContentSize
        /// What the person lacks with no default to stand in for it: with any, nothing is sent.
        public let missing: [Field]
        /// The content's problems in this variant.
        public let problems: [Problem]

        /// Nothing is sent, since Apple would refuse it.
        public var isTooLong: Bool { length > size.limit }
        public var isSent: Bool { missing.isEmpty && !isTooLong }
    }

    /// Beyond it a payload is not shown.
    static let maximumLength = 64 * 1024
}

extension CompiledContent {
    /// The content must compile; what is wrong with it otherwise stands among the problems.
    public static func preview(
        _ content: TemplateContent, for person: SamplePerson, in context: ContentContext, now: Int
    ) throws(Problems) -> ContentPreview {
        let compiled = try CompiledContent(content, in: context)
        let report = content.report(in: context)
        let composer = ContentComposer(compiled.withoutLimit, now: now)
        let variants = content.variants(with: context).enumerated().map { place, variant in
            let own = report.problems.filter { $0.path == variant.path || $0.path.hasPrefix(variant.path + ".") }
            return composer.preview(place, for: person, size: report.sizes[place], problems: own)
        }
        return ContentPreview(chosen: composer.variant(for: person.locale), variants: variants)
    }
}

extension ContentComposer {
    /// A missing value is marked in its place and composing begins anew, until all that is missing is known.
    fileprivate func preview(
        _ variant: Int, for person: SamplePerson, size: ContentSize, problems: [Problem]
    ) -> ContentPreview.Variant {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ContentPreview.maximumLength, alignment: 8)
        defer { buffer.deallocate() }
        let id = [UInt8](MessageID(messageNumber: 0, device: 0, tag: 0).text.utf8)
        var values = ColumnValues(content.needs, person.value)
        var missing: [Field] = []
        while true {
            switch values.compose(self, variant: variant, id: id, into: buffer) {
            case .missing(let place):
                let field = content.needs[place]
                // A mark is no number: where one is wanted, 0 stands for it.
                let mark: JSON = missing.contains(field) ? 0 : .string("⟨\(field)⟩")
                if !missing.contains(field) { missing.append(field) }
                values.replace(place, of: field, with: mark)
            case .written(let length):
                return ContentPreview.Variant(
                    locale: size.locale, payload: try? JSON(parsing: Array(buffer[..<length])), length: length,
                    size: size, missing: missing, problems: problems)
            case .tooLong:
                return ContentPreview.Variant(
                    locale: size.locale, payload: nil, length: ContentPreview.maximumLength, size: size,
                    missing: missing, problems: problems)
            }
        }
    }
}
