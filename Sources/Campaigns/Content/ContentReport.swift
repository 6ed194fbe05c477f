public import JSON
import Notifications

/// The problems and sizes of content, before it is saved.
public struct ContentReport: Sendable, Equatable {
    /// All errors and warnings. Paths begin with `payload` or `variants.LOCALE`, or name an option.
    public let problems: [Problem]
    /// The default payload first, then the variants in their order. A payload with errors has size 0.
    public let sizes: [ContentSize]

    /// Whether the content can't be saved.
    public var hasErrors: Bool { problems.contains { $0.severity == .error } }
}

/// The size of a variant's payload in bytes, including the message id.
public struct ContentSize: Sendable, Equatable {
    /// Nil for the default payload.
    public let locale: String?
    /// With the shortest value in every placeholder and the shortest branches.
    public internal(set) var least: Int
    /// With the longest known value in every placeholder and the longest branches.
    public internal(set) var worst: Int
    /// Apple's.
    public let limit: Int
}

extension TemplateContent {
    /// Reports all problems: of Liquid, of Apple's rules, of size in each locale, of categories and media.
    public func report(in context: ContentContext) -> ContentReport {
        var problems = mediaProblems(context) + localeProblems() + unusedLocales(context)
        var sizes: [ContentSize] = []
        let rules = PushRules(
            pushType: pushType, priority: priority, collapseID: collapseID, messageIDKey: context.messageIDKey)
        problems += rules.problems(in: Payload()).compactMap(\.asOptionProblem)
        if let collapseID, LiquidTemplate.isLiquid(collapseID) {
            problems.append(PlainContent.notRendered("collapse_id"))
        }
        for variant in variants(with: context) {
            var found = ContentText.problems(in: variant.payload, at: "") + payloadProblems(variant.payload, rules)
            found += takenKeyProblems(variant, context) + variant.payload.nullCharacterProblems()
            var size = ContentSize(locale: variant.locale, least: 0, worst: 0, limit: pushType.maximumPayloadSize)
            if !found.contains(where: { $0.severity == .error }) {
                found += warnings(variant, context)
                let measure = ContentMeasure(context: context, locale: variant.locale)
                (size.least, size.worst) = measure.size(of: variant.payload)
                found += sizeProblems(size)
                // The longest value of an attribute that no device has is unknown.
                size.worst = max(size.least, size.worst)
            }
            problems += found.map { $0.inside(variant.path) }
            sizes.append(size)
        }
        return ContentReport(problems: problems, sizes: sizes)
    }

    // MARK: Payloads

    /// The problems that `Notifications` reports, except for the size, which it cannot know.
    private func payloadProblems(_ json: JSON, _ rules: PushRules) -> [Problem] {
        rules.problems(in: ContentText.withNumbers(json))
            .filter { $0.code != Self.tooLarge && $0.asOptionProblem == nil }
    }

    private static let tooLarge = "payload-too-large"

    private func sizeProblems(_ size: ContentSize) -> [Problem] {
        let limit: Message = "\(pushType.rawValue) pushes may have at most \(size.limit)"
        if size.least > size.limit {
            let atLeast: Message = size.least == size.worst ? "" : " at least"
            return [
                Problem(
                    path: "", code: Self.tooLarge,
                    message: "the payload is\(atLeast) \(size.least) bytes long with the message id; \(limit)")
            ]
        }
        guard size.worst > size.limit else { return [] }
        let message: Message =
            "with the longest values of all devices, the payload is \(size.worst) bytes long; \(limit). "
            + "Recipients with a longer payload are skipped"
        return [Problem(path: "", code: "payload-may-be-too-large", message: message, severity: .warning)]
    }

    // MARK: Locales and media

    private func localeProblems() -> [Problem] {
        var seen: Set<LocaleTag> = []
        var problems: [Problem] = []
        func refuse(_ path: String, _ code: String, _ message: Message) {
            problems.append(Problem(path: path, code: code, message: message))
        }
        for variant in variants {
            let path = ProblemPath.member(variant.locale, of: "variants")
            do throws(InvalidValue) {
                if !seen.insert(try LocaleTag(variant.locale)).inserted {
                    refuse(path, "duplicate-locale", "must appear only once, in any spelling")
                }
            } catch {
                refuse(path, error.code, "is not a valid locale: the name \(error.message)")
            }
        }
        if variants.count > Self.maximumVariants {
            refuse("variants", "too-many", "must have at most \(Self.maximumVariants) variants, not \(variants.count)")
        }
        return problems
    }

    private func mediaProblems(_ context: ContentContext) -> [Problem] {
        guard media != nil else { return [] }
        switch context.media {
        case .found: return []
        case .refused(let message): return [Problem(path: "media", code: "media-refused", message: message)]
        case .absent, nil:
            return [Problem(path: "media", code: "media-not-found", message: "must be media of the app")]
        }
    }

    private func takenKeyProblems(_ variant: VariantPayload, _ context: ContentContext) -> [Problem] {
        guard media != nil, case .found = context.media else { return [] }
        return context.attachmentKeys.all.filter { variant.own[$0] != nil }.map { key in
            Problem(
                path: key, code: "attachment-key-taken",
                message: "must not be a custom key: it is reserved for the media's \(key)")
        }
    }
}

extension Problem {
    /// The problem of a header as a problem of the option that sets it; nil for a problem of the payload.
    fileprivate var asOptionProblem: Problem? {
        let option =
            switch path {
            case "apns-push-type": "push_type"
            case "apns-priority": "priority"
            case "apns-expiration": "expiration_seconds"
            case "apns-collapse-id": "collapse_id"
            default: ""
            }
        return option.isEmpty ? nil : Problem(path: option, code: code, message: message, severity: severity)
    }
}
