import Foundation
import Testing

@testable import Notifications

@Suite struct ZoneNameTests {
    @Test(arguments: [
        ("Asia/Calcutta", "Asia/Kolkata"), ("europe/zurich", "Europe/Zurich"), ("Asia/Saigon", "Asia/Ho_Chi_Minh"),
        ("Asia/Katmandu", "Asia/Kathmandu"), ("Asia/Rangoon", "Asia/Yangon"), ("Europe/Kiev", "Europe/Kyiv"),
        ("America/Buenos_Aires", "America/Argentina/Buenos_Aires"), ("Atlantic/Faeroe", "Atlantic/Faroe"),
        ("Pacific/Truk", "Pacific/Chuuk"), ("US/Pacific", "America/Los_Angeles"), ("GB", "Europe/London"),
        ("PRC", "Asia/Shanghai"), ("Zulu", "UTC"), ("Etc/UTC", "UTC"), ("UCT", "UTC"), ("GMT", "UTC"), ("gmt0", "UTC"),
        ("Etc/Greenwich", "UTC"), ("EST", "America/Panama"), ("MST", "America/Phoenix"), ("HST", "Pacific/Honolulu"),
        ("EST5EDT", "America/New_York"), ("Etc/GMT+3", "Etc/GMT+3"), ("GMT+3", "Etc/GMT-3"), ("gmt-0530", nil),
        ("GMT+05:45", "Asia/Kathmandu"), ("America/Godthab", "America/Nuuk"), ("Pacific/Enderbury", "Pacific/Kanton"),
        ("Europe/Oslo", "Europe/Oslo"), ("Europe/Amsterdam", "Europe/Amsterdam"), ("Asia/Kuwait", "Asia/Kuwait"),
        ("localtime", nil), ("posixrules", nil), ("Factory", nil), ("Etc/Unknown", nil), ("posix/Europe/Berlin", nil),
        ("right/UTC", nil), ("leapseconds", nil), ("tzdata.zi", nil), ("", nil), ("EST5EDT4,M3.2.0,M11.1.0", nil),
        ("XYZ-3", nil), ("GMT+15", nil), ("Mars/Base", nil), ("Europe", nil), ("UTC ", "UTC"),
        ("\tEurope/Berlin\n", "Europe/Berlin"), (" ", nil),
    ])
    func zoneHasOneName(_ text: String, _ name: String?) {
        #expect(ZoneName.canonical(text) == name)
        #expect(ZoneName.canonical(text.uppercased()) == name)
        #expect(name.map { ZoneName.canonical($0) == name } ?? true)
    }

    @Test func foundationKnowsEachZoneByItsName() {
        let unknown = ZoneName.all.filter { ZoneName.zone(named: $0) == nil }
        #expect(unknown.filter { $0 != "America/Coyhaique" } == [])
    }

    @Test func systemThatKnowsOnlyAnOldNameIsAskedForIt() {
        let old: Set = ["Europe/Kiev", "America/Godthab", "Asia/Tokyo"]
        func find(_ name: String) -> String? { ZoneName.first(of: name) { old.contains($0) ? $0 : nil } }
        #expect(find("Europe/Kyiv") == "Europe/Kiev" && find("America/Nuuk") == "America/Godthab")
        #expect(find("Asia/Tokyo") == "Asia/Tokyo" && find("Europe/Berlin") == nil)
    }

    private static let table = "/usr/share/zoneinfo/tzdata.zi"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: table)))
    func everyNameOfTheTimeZoneDatabaseIsKnown() throws {
        var names: Set<String> = []
        for line in try String(contentsOfFile: Self.table, encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: " ")
            if parts[0] == "Z" { names.insert(String(parts[1])) }
            if parts[0] == "L" { names.insert(String(parts[2])) }
        }
        #expect(names.filter { ZoneName.canonical($0) == nil } == ["Factory"])
    }

    /// The pages offer the browser's zones, under the names of the table.
    @Test func pagesKnowTheNamesOfTheTable() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let file = try String(contentsOf: root.appending(path: "Public/js/zone-names.js"), encoding: .utf8)
        let names = file.matches(of: /"([A-Z]\w+\/\w+)": "([\w\/]+)"/).map { (String($0.1), String($0.2)) }
        #expect(names.count > 15)
        for (old, present) in names { #expect(ZoneName.canonical(old) == present && old != present) }
    }

    @Test func everyPlaceIsInOneCountry() {
        let all = ZoneName.countries.flatMap { ZoneName.zones(ofCountry: $0) ?? [] }
        #expect(Set(all).count == all.count)
        #expect(Set(ZoneName.all).subtracting(all).allSatisfy { $0 == ZoneName.utc || $0.hasPrefix("Etc/") })
        #expect(all.allSatisfy { ZoneName.canonical($0) == $0 })
        #expect(ZoneName.zones(ofCountry: "CN") == ["Asia/Shanghai", "Asia/Urumqi"])
    }

    @Test func pagesKnowTheCountriesOfTheTable() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let file = try String(contentsOf: root.appending(path: "Public/js/audience/countries.js"), encoding: .utf8)
        let codes = file.matches(of: /\b([A-Z]{2})\b(?=[ "])/).map { String($0.1) }
        #expect(codes.sorted() == ZoneName.countries)
    }
}
