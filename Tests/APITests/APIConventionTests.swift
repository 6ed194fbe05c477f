import Administration
import JSON
import Testing

@testable import API

/// Holds the rules of Docs/api.md, "Conventions", for every operation and member of the OpenAPI description.
struct APIConventionTests {
    private struct Operation {
        let method: String
        let path: String
        let json: JSON
        let parameters: Set<String>

        var name: String { "\(method) \(path)" }
        func response(_ code: String) -> JSON? { json["responses"]?[code] }
        func headers(_ code: String) -> Set<String> {
            Set((response(code)?["headers"]?.members ?? []).map(\.key))
        }
    }

    private let document: JSON
    private let operations: [Operation]

    init() throws {
        let document = try APIFixture.document().json
        self.document = document
        var operations: [Operation] = []
        for path in try #require(document["paths"]?.members) {
            for operation in try #require(path.value.members) {
                let parameters = (operation.value["parameters"]?.elements ?? []).compactMap { parameter in
                    Self.resolved(parameter, in: document)["name"]?.string
                }
                operations.append(
                    Operation(
                        method: operation.key.uppercased(), path: path.key, json: operation.value,
                        parameters: Set(parameters)))
            }
        }
        self.operations = operations
    }

    private static func resolved(_ json: JSON, in document: JSON) -> JSON {
        guard let reference = json["$ref"]?.string else { return json }
        return reference.dropFirst(2).split(separator: "/").reduce(document) { $0[String($1)] ?? .null }
    }

    private func schema(of operation: Operation, _ code: String) -> JSON {
        Self.resolved(
            operation.response(code)?["content"]?["application/json"]?["schema"] ?? .null, in: document)
    }

    /// Every member of every schema, with its own schema.
    private func members() -> [(name: String, schema: JSON)] {
        var members: [(String, JSON)] = []
        func collect(_ json: JSON) {
            switch json {
            case .object(let object):
                if case .object(let properties)? = json["properties"] {
                    members += properties.map { ($0.key, $0.value) }
                }
                for member in object { collect(member.value) }
            case .array(let elements): elements.forEach(collect)
            case .null, .bool, .number, .string: break
            }
        }
        collect(document)
        return members
    }

    @Test func membersAreInSnakeCase() {
        for (name, _) in members() { #expect(name.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil, "\(name)") }
    }

    /// Apple's own names, error codes, scopes, events of webhooks, and the names of languages, formats and encodings are written as elsewhere.
    private static let foreign: Set = [
        "CategoryOptions", "CategoryActionOptions", "options", "Permission", "language", "code", "encoding",
        "fileEncoding", "TextEncoding", "WebhookEventKind",
    ]

    @Test func valuesAreInSnakeCase() {
        var values: Set<String> = []
        func collect(_ json: JSON, _ name: String) {
            guard !Self.foreign.contains(name) else { return }
            for value in json["enum"]?.elements ?? [] { if let text = value.string { values.insert(text) } }
            if let text = json["const"]?.string { values.insert(text) }
            for member in json.members ?? [] { collect(member.value, member.key) }
            for element in json.elements ?? [] { collect(element, name) }
        }
        collect(document, "")
        #expect(values.count > 80)
        for value in values { #expect(value.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil, "\(value)") }
    }

    /// Members that once had several names now have only one name.
    @Test func membersHaveTheOneNameOfTheirThing() {
        let retired: Set = [
            "authorization", "looked", "looked_at", "moved", "brake", "brake_percent", "was_unknown_sent_again",
            "is_registered", "pace", "known", "refused",
        ]
        for (name, _) in members() { #expect(!retired.contains(name), "\(name)") }
        // What a person controls has a state, and a process; pushes and recipients have an outcome.
        let stateful = (document["components"]?["schemas"]?.members ?? []).filter { schema in
            schema.value["properties"]?["state"] != nil
        }
        let expected: Set = [
            "Approval", "ApprovalBefore", "ApprovalInList", "ApprovalSummary", "Campaign", "LastRun", "RunTotals",
            "ServerProcess", "TagChange", "TestRest",
        ]
        #expect(Set(stateful.map(\.key)) == expected)
    }

    @Test func timesEndWithAt() {
        for (name, schema) in members() {
            let reference = schema["$ref"]?.string ?? schema["anyOf"]?.elements?.first?["$ref"]?.string ?? ""
            guard reference.hasSuffix("/Time") || reference.hasSuffix("/TimeOrNull") else { continue }
            let isTime = name.hasSuffix("_at") || name.hasSuffix("_since") || ["at", "from", "to"].contains(name)
            #expect(isTime, "\(name)")
        }
    }

    @Test func listsArePagedAlike() {
        var count = 0
        for operation in operations where operation.method == "GET" {
            let schema = schema(of: operation, "200")
            guard schema["properties"]?["data"] != nil else { continue }
            #expect(Set((schema["properties"]?.members ?? []).map(\.key)) == ["data", "next_cursor"])
            #expect(operation.parameters.isSuperset(of: ["limit", "cursor"]), "\(operation.name)")
            count += 1
        }
        #expect(count > 12)
    }

    @Test func whatIsCreatedHasAnAddressAndCanBeRepeatedSafely() {
        for operation in operations where operation.response("201") != nil {
            #expect(operation.headers("201").isSuperset(of: ["ETag", "Location"]), "\(operation.name)")
            // A file is stored once however often it is uploaded.
            guard !operation.path.hasSuffix("/media") else { continue }
            #expect(operation.parameters.contains("Idempotency-Key"), "\(operation.name)")
        }
    }

    @Test func writesTakeIfMatch() {
        // Sessions, passwords and replies have no versions.
        let own: Set = [
            "/v1/session", "/v1/sessions/{session}", "/v1/password",
            "/v1/apps/{app}/replies/{message_number}/{device_id}",
        ]
        for operation in operations where ["PATCH", "PUT", "DELETE"].contains(operation.method) {
            guard !own.contains(operation.path) else { continue }
            #expect(operation.parameters.contains("If-Match"), "\(operation.name)")
            #expect(operation.response("412") != nil, "\(operation.name)")
        }
    }

    @Test func resourcesHaveETags() {
        for operation in operations where operation.method == "GET" && operation.path.hasPrefix("/v1/") {
            guard operation.path.hasSuffix("}") else { continue }
            #expect(operation.headers("200").contains("ETag"), "\(operation.name)")
            #expect(operation.response("304") != nil, "\(operation.name)")
            #expect(operation.parameters.contains("If-None-Match"), "\(operation.name)")
        }
    }

    /// The things that people plan with are archived, copied and deleted in the same way.
    @Test(arguments: ["campaigns/{campaign}", "templates/{template}", "segments/{segment}", "local-plans/{plan}"])
    func plannedThingsAreArchivedCopiedAndDeletedAlike(_ resource: String) {
        let names = Set(operations.map(\.name))
        let path = "/v1/apps/{app}/\(resource)"
        for name in ["POST \(path)/archive", "POST \(path)/unarchive", "POST \(path)/duplicate", "DELETE \(path)"] {
            #expect(names.contains(name), "\(name)")
        }
        let collection = path.split(separator: "/").dropLast().joined(separator: "/")
        let list = operations.first { $0.name == "GET /\(collection)" }
        #expect(list?.parameters.contains("archived") == true)
    }

    @Test func everyRequestUnderV1NeedsAKeyOrASession() {
        let open: Set = ["GET /v1/set-up", "POST /v1/set-up", "POST /v1/session", "POST /v1/password"]
        for operation in operations where operation.path.hasPrefix("/v1/") {
            #expect(operation.response("400") != nil, "\(operation.name)")
            guard !open.contains(operation.name) else { continue }
            #expect(operation.response("401") != nil && operation.response("403") != nil, "\(operation.name)")
            #expect(operation.json["security"]?.elements?.isEmpty == false, "\(operation.name)")
        }
    }
}
