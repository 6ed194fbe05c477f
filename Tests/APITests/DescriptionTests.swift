import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Testing

@testable import API

@Suite struct DescriptionTests {
    @Test func documentAndRouterHaveTheSameRoutes() async throws {
        try await APIFixture.run { api in
            let routed = Set(api.router.routes.map { "\($0.method) \($0.pattern)" })
            let described = Set(Operation.all.map { "\($0.method) \($0.path)" })

            #expect(routed.subtracting(described) == [])
            #expect(described.subtracting(routed) == [])
            #expect(Operation.all.count == described.count)
        }
    }

    @Test(arguments: APIFixture.Transport.allCases)
    func documentIsServedToEveryone(_ transport: APIFixture.Transport) async throws {
        try await APIFixture.run(transport) { api in
            let answer = try await api.send(.get, "/openapi.json", key: .some(nil))

            #expect(answer.status == 200)
            #expect(try answer.json["openapi"] == "3.1.0")
        }
    }

    @Test func everyReferenceLeadsSomewhere() throws {
        var references: Set<String> = []
        Self.collect(Description.document, into: &references)

        #expect(references.count > 40)
        for reference in references {
            var place: JSON? = Description.document
            for part in reference.dropFirst(2).split(separator: "/") { place = place?[String(part)] }
            #expect(place != nil, "\(reference)")
        }
    }

    @Test func operationsHaveNamesOfTheirOwn() {
        #expect(Set(Operation.all.map(\.id)).count == Operation.all.count)
    }

    private static func collect(_ json: JSON, into references: inout Set<String>) {
        switch json {
        case .object(let members):
            for member in members {
                if member.key == "$ref", case .string(let text) = member.value { references.insert(text) }
                collect(member.value, into: &references)
            }
        case .array(let elements): for element in elements { collect(element, into: &references) }
        case .null, .bool, .number, .string: break
        }
    }
}
