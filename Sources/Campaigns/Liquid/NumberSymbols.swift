import Notifications

/// The way in which a country groups digits and marks decimals, for `number`, after Unicode's CLDR: a comma and a point
/// as in English, unless the language is listed below. Digits are always 0 to 9, and a minus is a hyphen.
struct NumberSymbols: Equatable {
    enum Mark: UInt8 {
        case comma, point, apostrophe, space, narrowSpace
    }

    var group = Mark.comma
    var decimal = Mark.point
    /// Digits before the first mark at least: with 2, 1234 has none and 12 345 one.
    var minimumBeforeGroup = 1
    /// Groups of two after the first of three: 12,34,567.
    var isIndian = false

    /// Bytes of a mark at most.
    static let maximumMark = 3

    /// Digits with a point and nothing else, as in JSON.
    static let plain = NumberSymbols(group: .comma, decimal: .point, minimumBeforeGroup: 2 * DecimalDigits.maximum)

    private init(group: Mark, decimal: Mark, minimumBeforeGroup: Int) {
        (self.group, self.decimal, self.minimumBeforeGroup) = (group, decimal, minimumBeforeGroup)
    }

    init(locale: String) {
        guard let tag = try? LocaleTag(locale) else { return }
        let region = tag.region
        switch tag.language {
        case "en" where region == "IN", "hi", "bn", "gu", "kn", "mr", "ta", "te", "ml", "pa": isIndian = true
        case "en" where region == "ZA", "pt" where !["", "BR", "PT"].contains(region):
            (group, decimal) = (.space, .comma)
        case "de" where region == "CH" || region == "LI": group = .apostrophe
        case "it" where region == "CH": (group, minimumBeforeGroup) = (.apostrophe, 2)
        case "es" where Self.spanishWithPoint.contains(region): break
        case "es" where ["", "ES"].contains(region), "it", "sl":
            (group, decimal, minimumBeforeGroup) = (.point, .comma, 2)
        case "pt" where region == "PT", "pl", "bg", "lv", "et", "hu", "be", "sq", "ka":
            (group, decimal, minimumBeforeGroup) = (.space, .comma, 2)
        case "es", "de", "pt", "nl", "da", "id", "tr", "el", "ro", "hr", "sr", "bs", "vi", "is", "ca", "gl", "mk", "az",
            "eu":
            (group, decimal) = (.point, .comma)
        case "fr" where region != "CA": (group, decimal) = (.narrowSpace, .comma)
        case "fr", "ru", "uk", "kk", "cs", "sk", "fi", "sv", "nb", "nn", "lt", "uz", "hy":
            (group, decimal) = (.space, .comma)
        default: break
        }
    }

    private static let spanishWithPoint: Set<String> = [
        "MX", "US", "PR", "DO", "GT", "HN", "NI", "PA", "PE", "SV", "CU", "419",
    ]
}

extension NumberSymbols.Mark {
    var bytes: UnsafeRawBufferPointer {
        let text: StaticString =
            switch self {
            case .comma: ","
            case .point: "."
            case .apostrophe: "’"
            case .space: "\u{A0}"
            case .narrowSpace: "\u{202F}"
            }
        return UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}
