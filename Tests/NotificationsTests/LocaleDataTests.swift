import Foundation
import Testing

@testable import Notifications

/// Our table against Foundation's ICU, which is of another release of CLDR: the differences are those of the releases.
@Suite struct LocaleDataTests {
    private static func script(_ tag: String) -> String? {
        Locale.Language(identifier: Locale.Language(identifier: tag).maximalIdentifier).script?.identifier
    }

    @Test func scriptsAreThoseOfICU() {
        var different: Set<String> = []
        for (language, scripts) in LocaleData.scripts where Self.script(language) != nil {
            if Self.script(language) != scripts.standard {
                different.insert(language)
                continue
            }
            for region in Locale.Region.isoRegions.map(\.identifier) where scripts.isShown && region.count == 2 {
                guard let script = Self.script("\(language)-\(region)") else { continue }
                if script != scripts.byRegion[region] ?? scripts.standard { different.insert("\(language)-\(region)") }
            }
        }
        // Apple's ICU writes Kashmiri in Devanagari and Urdu in Nastaliq, and does not know the others, which are rare.
        let known: Set = [
            "ks", "ur", "hak-TW", "lzz-GE", "nan-TW", "pa-PK", "pnt-RU", "pnt-TR", "sr-RU", "zh-US",
        ]
        #expect(different.subtracting(known) == [])
    }

    /// Apple's parents of English and Norwegian tags are not CLDR's.
    @Test func parentsOfSpanishPortugueseAndChineseAreThoseOfICU() {
        for (tag, parent) in LocaleData.parents where ["es", "pt", "zh"].contains(tag.prefix(2)) {
            guard let other = Locale.Language(identifier: tag).parent else { continue }
            #expect(Locale.Language(identifier: parent).minimalIdentifier == other.minimalIdentifier, "\(tag)")
        }
    }

    @Test func otherNamesAreThoseOfICU() {
        for (name, current) in LocaleData.languages {
            let other = Locale.identifier(.bcp47, from: name)
            // Foundation knows fewer names, and of some the one before the last.
            if other != name { #expect(LocaleData.languages[other] ?? other == current, "\(name)") }
        }
    }
}
