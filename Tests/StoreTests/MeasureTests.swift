import Campaigns
import Foundation
import Postgres
import Store
import StoreSupport
import TestSupport
import Testing

/// A measure has one name and one number in Swift, in SQL and in the pages.
@Suite struct MeasureTests {
    @Test func sqlHasTheSameNamesAndNumbers() async throws {
        try await StoreFixture.run { fixture in
            let numbers = Int16(-1)...100
            let rows = try await fixture.pool.query(
                """
                SELECT n, measure_name(n), measure_of(measure_name(n)), n = ANY (event_measures()), measure_of_event(n)
                FROM unnest(\(Array(numbers))) AS n WHERE measure_name(n) IS NOT NULL OR measure_of_event(n) IS NOT NULL
                ORDER BY n
                """)
            let inSQL = try rows.map { row in
                Names(
                    number: try row[0], name: try row[1], numberOfName: try row[2], isOfEvents: try row[3],
                    ofEvent: try row[4])
            }
            let inSwift = Measure.allCases.sorted { $0.rawValue < $1.rawValue }.map { measure in
                Names(
                    number: measure.rawValue, name: measure.name, numberOfName: measure.rawValue,
                    isOfEvents: Measure.events.contains(measure),
                    ofEvent: EventKind(rawValue: measure.rawValue).map { Measure($0).rawValue })
            }
            #expect(inSQL == inSwift)
        }
    }

    private struct Names: Equatable {
        let number: Int16
        let name: String?
        let numberOfName: Int16?
        let isOfEvents: Bool
        let ofEvent: Int16?
    }

    @Test func everyKindOfEventsHasAMeasureOfItsOwn() {
        #expect(Set(EventKind.allCases.map { Measure($0) }) == Set(Measure.events))
        #expect(EventKind.allCases.count == Measure.events.count)
    }

    @Test func everyMeasureOfPushesIsAnOutcomeOrAnEvent() {
        let others = Set(Measure.allCases).subtracting(Measure.ofPushes)
        #expect(others == [.refusedMessage, .refusedBeforeStart, .refusedTooLate])
    }

    @Test(arguments: ["outcomes": Measure.outcomes, "events": Measure.events])
    func pagesHaveTheSameMeasuresInTheSameOrder(constant: String, measures: [Measure]) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let source = try String(
            contentsOf: root.appending(path: "Public/js/analytics/measures.js"), encoding: .utf8)
        let list = try #require(source.components(separatedBy: "export const \(constant) = [").dropFirst().first)
        let elements = try #require(list.components(separatedBy: "]").first)
        let names = elements.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        #expect(names.filter { !$0.isEmpty } == measures.map { "\"\($0.name)\"" })
    }
}
