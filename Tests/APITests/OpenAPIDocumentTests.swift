import Administration
import Campaigns
import Foundation
import HTTPServer
import HTTPTypes
import JSON
import Notifications
import Testing

@testable import API

@Suite struct OpenAPIDocumentTests {
    @Test func documentAndRouterHaveTheSameRoutes() async throws {
        try await APIFixture.run { api in
            // Browsers send OPTIONS, programs do not.
            let routed = Set(api.router.routes.filter { $0.method != .options }.map { "\($0.method) \($0.pattern)" })
            let described = Set(try Self.operations().map { "\($0.method) \($0.path)" })

            #expect(routed.subtracting(described) == [])
            #expect(described.subtracting(routed) == [])
        }
    }

    @Test func everyRouteHasTheDescribedQueryParameters() async throws {
        try await APIFixture.run { api in
            let document = try APIFixture.document().json
            for operation in try Self.operations() {
                let parameters = try Self.parameters(of: operation.json, in: document)
                let described = Set(parameters.filter { $0["in"] == "query" }.compactMap { $0["name"]?.string })
                let accepted = api.declared.first { $0.name == "\(operation.method) \(operation.path)" }?.query ?? []
                #expect(Set(accepted) == described, "\(operation.method) \(operation.path)")
            }
        }
    }

    @Test func everyRouteUnderV1RefusesUnknownQueryParameters() async throws {
        try await APIFixture.run { api in
            let person = try await api.browser("root@example.com", [RoleAssignment(.admin)])
            for operation in try Self.operations() where operation.path.hasPrefix("/v1/") {
                let path = operation.path.replacing(/\{\w+\}/, with: "1")
                let method = try #require(HTTPRequest.Method(operation.method))
                let isForPeople = api.declared.contains {
                    $0.name == "\(method) \(operation.path)" && $0.access == .person
                }
                let answer =
                    isForPeople
                    ? try await api.send(method, "\(path)?quite_unknown=1", as: person)
                    : try await api.send(method, "\(path)?quite_unknown=1")
                #expect(answer.status == 400, "\(operation.method) \(operation.path)")
                #expect(try answer.json["code"] == "unknown-parameter", "\(operation.method) \(operation.path)")
            }
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
        let document = try APIFixture.document().json
        Self.collect(document, into: &references)

        #expect(references.count > 40)
        for reference in references {
            var target: JSON? = document
            for part in reference.dropFirst(2).split(separator: "/") { target = target?[String(part)] }
            #expect(target != nil, "\(reference)")
        }
    }

    @Test func operationIDsAreUnique() throws {
        let ids = try Self.operations().map(\.id)
        #expect(ids.count > 90 && Set(ids).count == ids.count)
    }

    /// Every schema, parameter and response is used, so what is left over from a removed route is noticed.
    @Test func everyComponentIsUsed() throws {
        var references: Set<String> = []
        let document = try APIFixture.document().json
        Self.collect(document, into: &references)
        for kind in ["schemas", "parameters", "responses", "headers"] {
            for name in try #require(document["components"]?[kind]?.members).map(\.key) {
                let reference = "#/components/\(kind)/\(name)"
                #expect(references.contains { $0 == reference || $0.hasPrefix(reference + "/") }, "\(reference)")
            }
        }
    }

    /// As the WHATWG's encoding standard calls them, and as browsers do.
    private static let namesOfEncodings: Set = [
        "utf-8", "utf-16be", "utf-16le", "euc-kr", "windows-1250", "windows-1251", "windows-1252", "windows-1254",
    ]

    @Test func valuesMembersAndParametersAreInSnakeCase() throws {
        var names: Set<String> = []
        Self.collectNames(try APIFixture.document().json, into: &names)
        #expect(names.count > 500)
        // Permissions name what they permit, as scopes of OAuth do: "campaigns:read". Events of webhooks are named as
        // Standard Webhooks does: "run.paused".
        let odd = names.filter { $0.wholeMatch(of: /[a-z][a-z0-9_]*|[a-z-]+:[a-z]+|[a-z]+\.[a-z]+/) == nil }
        #expect(odd == Self.namesOfEncodings)
    }

    /// The values of enumerations, the members of objects and the parameters of queries.
    private static func collectNames(_ json: JSON, into names: inout Set<String>) {
        for element in json.elements ?? [] { collectNames(element, into: &names) }
        if json["in"] == "query", let name = json["name"]?.string { names.insert(name) }
        for member in json.members ?? [] {
            switch member.key {
            case "enum": names.formUnion(member.value.elements?.compactMap(\.string) ?? [])
            case "properties": names.formUnion(member.value.members?.map(\.key) ?? [])
            // Examples hold what clients choose themselves.
            case "example", "examples": continue
            default: break
            }
            collectNames(member.value, into: &names)
        }
    }

    @Test(arguments: [
        (#"{"components": {"schemas": {"A": {}}}}"#, "A is in another file, too"),
        (#"{"openapi": "3.0"}"#, "openapi is in another file"),
        ("[]", "an object was expected"), ("{", "byte"),
    ])
    func invalidFileIsNamed(_ text: String, _ reason: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "openapi-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let base = #"{"openapi": "3.1.0", "paths": {"/a": {}}, "components": {"schemas": {"A": {}}}}"#
        try Data(base.utf8).write(to: folder.appending(path: "base.json"))
        let more = #"{"paths": {"/b": {}}, "components": {"schemas": {"B": {}}, "headers": {}}}"#
        try Data(more.utf8).write(to: folder.appending(path: "more.json"))
        let merged = try OpenAPIDocument(folder: folder.path).json
        #expect(merged["paths"] == ["/a": [:], "/b": [:]])
        #expect(merged["components"] == ["schemas": ["A": [:], "B": [:]], "headers": [:]])
        try Data(text.utf8).write(to: folder.appending(path: "other.json"))
        do {
            _ = try OpenAPIDocument(folder: folder.path)
            Issue.record("must be refused")
        } catch let error as OpenAPIDocument.Failure {
            #expect(error.description.contains("other.json") && error.description.contains(reason), "\(error)")
        }
    }

    /// The parameters of an operation, with references resolved.
    private static func parameters(of operation: JSON, in document: JSON) throws -> [JSON] {
        try (operation["parameters"]?.elements ?? []).map { parameter in
            guard let reference = parameter["$ref"]?.string, let name = reference.split(separator: "/").last else {
                return parameter
            }
            return try #require(document["components"]?["parameters"]?[String(name)])
        }
    }

    private static func operations() throws -> [(method: String, path: String, id: String, json: JSON)] {
        let paths = try #require(try APIFixture.document().json["paths"]?.members)
        return try paths.flatMap { path in
            try #require(path.value.members).map { operation in
                (
                    operation.key.uppercased(), path.key, try #require(operation.value["operationId"]?.string),
                    operation.value
                )
            }
        }
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
