public import JSON
import Notifications

/// The payloads for one recipient, in each of a content's locales.
public struct ContentPreview: Sendable, Equatable {
    /// The index in `variants` of the variant for the recipient's locale.
    public let selected: Int
    /// The default payload first, then the variants in their order.
    public let variants: [Variant]

    public struct Variant: Sendable, Equatable {
        /// Nil for the default payload.
        public let locale: String?
        /// As it will be sent, with an id of zeros. A value that is missing or not usable is replaced by its name,
        /// ⟨like this⟩, or by 0 if a number is required; such a payload would not be sent. Nil if it is too long to
        /// show.
        public let payload: JSON?
        /// Bytes of that payload.
        public let length: Int
        /// The smallest and the largest size over all devices, and Apple's limit.
        public let size: ContentSize
        /// Fields without a value and without a default. If there are any, nothing is sent.
        public let missing: [Field]
        /// Fields with a value that their placeholder can't show. If there are any, nothing is sent.
        public let unusable: [Field]
        /// The content's problems in this variant.
        public let problems: [Problem]

        /// Whether Apple would reject the payload, so that nothing is sent.
        public var isTooLong: Bool { length > size.limit }
        public var isSent: Bool { missing.isEmpty && unusable.isEmpty && !isTooLong }
    }

    /// The size in bytes above which a payload is not shown.
    static let maximumLength = 64 * 1024
}

extension CompiledContent {
    /// Throws if the content does not compile; other problems are part of the preview.
    public static func preview(
        _ content: TemplateContent, for person: RecipientProfile, in context: ContentContext, now: Int
    ) throws(Problems) -> ContentPreview {
        let compiled = try CompiledContent(content, in: context)
        let report = content.report(in: context)
        let composer = ContentComposer(compiled.withoutLimit, now: now)
        let variants = content.variants(with: context).enumerated().map { index, variant in
            let own = report.problems.filter { $0.path == variant.path || $0.path.hasPrefix(variant.path + ".") }
            return composer.preview(index, for: person, size: report.sizes[index], problems: own)
        }
        return ContentPreview(selected: composer.variant(for: person.locale), variants: variants)
    }
}

extension ContentComposer {
    /// Composes again with a mark for each value that is missing or not usable, until all of them are known.
    fileprivate func preview(
        _ variant: Int, for person: RecipientProfile, size: ContentSize, problems: [Problem]
    ) -> ContentPreview.Variant {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ContentPreview.maximumLength, alignment: 8)
        defer { buffer.deallocate() }
        let id = [UInt8](MessageID(messageNumber: 0, device: 0, tag: 0).text.utf8)
        var values = ColumnValues(content.needs, person.value)
        var (missing, unusable): ([Field], [Field]) = ([], [])
        showsMarks = true
        /// A mark is not a number; 0 replaces it where a number is required.
        func mark(_ index: Int, in fields: inout [Field], isMarked: Bool) {
            let field = content.needs[index]
            if !isMarked { fields.append(field) }
            values.replace(index, of: field, with: isMarked ? 0 : .string("⟨\(field)⟩"))
        }
        while true {
            switch values.compose(self, variant: variant, id: id, into: buffer) {
            case .missing(let index):
                mark(index, in: &missing, isMarked: (missing + unusable).contains(content.needs[index]))
            case .unusable(let index):
                mark(index, in: &unusable, isMarked: (missing + unusable).contains(content.needs[index]))
            case .written(let length):
                return ContentPreview.Variant(
                    locale: size.locale, payload: try? JSON(parsing: Array(buffer[..<length])), length: length,
                    size: size, missing: missing, unusable: unusable, problems: problems)
            case .tooLong:
                return ContentPreview.Variant(
                    locale: size.locale, payload: nil, length: ContentPreview.maximumLength, size: size,
                    missing: missing, unusable: unusable, problems: problems)
            }
        }
    }
}
