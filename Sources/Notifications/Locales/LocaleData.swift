/// Facts about languages, from a table of our own: results must not depend on the machine's ICU, and a
/// registration can't wait for it. A test compares the table with Foundation's ICU.
enum LocaleData {
    /// The current language of another spelling, sometimes with a script or region: `iw` is `he`, `sh` is `sr-Latn`.
    static let languages = aliases(languageAliases)
    static let prefixes = aliases(prefixAliases)
    static let regions = aliases(regionAliases)
    static let successors = lists(dividedRegions)

    /// The script of a language, and whether its tags show it.
    struct Script {
        let standard: String
        var byRegion: [String: String] = [:]
        let isShown: Bool
    }

    static let scripts: [String: Script] = {
        let shown = Set(severalScripts.split(whereSeparator: \.isWhitespace).map(String.init))
        var scripts: [String: Script] = [:]
        for (script, languages) in pairs(likelyScripts) {
            for entry in languages {
                let language = String(entry.prefix { $0 != "-" })
                scripts[language] = Script(standard: script, isShown: shown.contains(language))
            }
        }
        for (key, regions) in pairs(scriptsByRegion) {
            let parts = key.split(separator: "-").map(String.init)
            for region in regions { scripts[parts[0]]?.byRegion[region] = parts[1] }
        }
        return scripts
    }()

    /// By language, or language and script: the region where it is mostly read.
    static let mainRegions: [String: String] = {
        var regions: [String: String] = [:]
        for (_, entries) in pairs(likelyScripts) {
            for entry in entries {
                let parts = entry.split(separator: "-").map(String.init)
                regions[parts[0]] = parts[1]
            }
        }
        for entry in likelyRegions.split(whereSeparator: \.isWhitespace) {
            let parts = entry.split(separator: "-").map(String.init)
            regions["\(parts[0])-\(parts[1])"] = parts[2]
        }
        return regions
    }()

    /// From CLDR's `parentLocales.json`: the next tag to look under, where it is not the tag without its last part.
    /// Cantonese readers read Chinese, in their script.
    static let parents: [String: String] = {
        var parents = [
            "nn": "nb", "ht": "fr-HT", "hi-Latn": "en-IN", "en-150": "en-001", "zh-Hant-MO": "zh-Hant-HK",
            "yue-Hant": "zh-Hant", "yue-Hans": "zh-Hans",
        ]
        for (parent, regions) in pairs(regionsByParent) {
            for region in regions { parents["\(parent.prefix { $0 != "-" })-\(region)"] = parent }
        }
        return parents
    }()

    private static let regionsByParent = """
        en-001=AG,AI,AU,BB,BM,BS,BW,BZ,CC,CK,CM,CX,CY,DG,DM,ER,FJ,FK,FM,GB,GD,GG,GH,GI,GM,GS,GY,HK,ID,IE,IL,IM,IN,IO
        en-001=JE,JM,KE,KI,KN,KY,LC,LR,LS,MG,MO,MS,MT,MU,MV,MW,MY,NA,NF,NG,NR,NU,NZ,PG,PK,PN,PW,RW,SB,SC,SD,SG,SH
        en-001=SL,SS,SX,SZ,TC,TK,TO,TT,TV,TZ,UG,VC,VG,VU,WS,ZA,ZM,ZW
        en-150=AT,BE,CH,CZ,DE,DK,ES,FI,FR,HU,IT,NL,NO,PL,PT,RO,SE,SI,SK
        es-419=AR,BO,BR,BZ,CL,CO,CR,CU,DO,EC,GT,HN,JP,MX,NI,PA,PE,PR,PY,SV,US,UY,VE
        pt-PT=AO,CH,CV,FR,GQ,GW,LU,MO,MZ,ST,TL
        """

    // MARK: Tables

    /// `new=old,older` as a look-up of the new spelling.
    private static func aliases(_ table: String) -> [String: String] {
        var aliases: [String: String] = [:]
        for (name, others) in pairs(table) {
            for other in others { aliases[other] = name }
        }
        return aliases
    }

    private static func lists(_ table: String) -> [String: [String]] {
        Dictionary(pairs(table)) { first, _ in first }
    }

    private static func pairs(_ table: String) -> [(String, [String])] {
        table.split(whereSeparator: \.isWhitespace).compactMap { entry in
            guard let mark = entry.firstIndex(of: "=") else { return nil }
            return (String(entry[..<mark]), entry[entry.index(after: mark)...].split(separator: ",").map(String.init))
        }
    }
}
