import Administration
import HTTPServer
import HTTPTypes
import JSON

/// What an assistant can do: a request to the API, whose description says what it takes.
struct AssistantTool: Sendable {
    /// The `operationId` of the description, in snake case.
    let name: String
    let summary: String
    let route: Route
    /// JSON Schema: the parameters of the path and the query, `version` for `If-Match`, and `body`.
    let schema: JSON
    let pathNames: [String]
    let queryNames: [String]
    let takesVersion: Bool
    let takesBody: Bool

    /// Operations that assistants are offered. None of them sends anything: a campaign is launched by a person, at the
    /// latest by the approval that an assistant may request.
    static let operations = [
        "listApps", "getApp", "listCampaigns", "countCampaigns", "getCampaign", "createCampaign", "updateCampaign",
        "duplicateCampaign", "forecastCampaign", "getTest", "getEffect", "listControlPeriods", "listRuns", "getRun",
        "requestApproval", "listApprovals", "getApproval", "listSegments", "getSegment", "createSegment",
        "countAudience",
        "countSegment", "listTemplates", "getTemplate", "createTemplate", "updateTemplate", "previewTemplate",
        "previewContent", "listCategories", "listTopics", "listMedia", "getStatisticsTotals", "getStatisticsSeries",
        "getStatisticsHours", "getStatisticsDevices", "explainDelivery", "listReplies",
    ]

    /// The tools, in the order of `operations`. Nil where the description lacks an operation, or the API its route.
    static func all(_ document: JSON, _ routes: [Route]) -> [AssistantTool] {
        var found: [String: AssistantTool] = [:]
        for path in document["paths"]?.members ?? [] {
            for operation in path.value.members ?? [] {
                guard let id = operation.value["operationId"]?.asText, operations.contains(id),
                    let route = routes.first(where: {
                        $0.pattern == path.key && $0.method.rawValue.lowercased() == operation.key
                    })
                else { continue }
                found[id] = AssistantTool(id, operation.value, route, document)
            }
        }
        return operations.compactMap { found[$0] }
    }

    private init(_ id: String, _ operation: JSON, _ route: Route, _ document: JSON) {
        name = Self.snakeCase(id)
        summary = operation["summary"]?.asText ?? id
        self.route = route
        var properties: [JSON.Member] = []
        var required: [JSON] = []
        var (pathNames, queryNames, takesVersion) = ([String](), [String](), false)
        for reference in operation["parameters"]?.elements ?? [] {
            let parameter = Self.resolved(reference, document)
            guard let name = parameter["name"]?.asText, let place = parameter["in"]?.asText else { continue }
            switch (place, name) {
            case ("path", _):
                pathNames.append(name)
                required.append(.string(name))
            case ("query", _): queryNames.append(name)
            case ("header", "If-Match"):
                takesVersion = true
                properties.append(
                    JSON.Member("version", ["type": "integer", "description": "The version that was read."]))
                continue
            default: continue
            }
            properties.append(JSON.Member(name, parameter["schema"] ?? [:]))
        }
        let body = operation["requestBody"]
        takesBody = body != nil
        if let schema = body?["content"]?["application/json"]?["schema"] {
            properties.append(JSON.Member("body", schema))
            if body?["required"] == true { required.append("body") }
        }
        (self.pathNames, self.queryNames, self.takesVersion) = (pathNames, queryNames, takesVersion)
        schema =
            AssistantSchema(
                ["type": "object", "properties": .object(properties), "required": .array(required)], document
            ).json
    }

    private static func resolved(_ json: JSON, _ document: JSON) -> JSON {
        guard let name = json["$ref"]?.asText?.split(separator: "/").last else { return json }
        return document["components"]?["parameters"]?[String(name)] ?? json
    }

    private static func snakeCase(_ name: String) -> String {
        name.reduce(into: "") { text, letter in
            if letter.isUppercase { text += "_" }
            text += letter.lowercased()
        }
    }

    /// Whether a caller with these grants may use it in some app.
    func isFor(_ grants: Grants) -> Bool {
        switch route.access {
        case .permission(let permission)?, .permissionInAnyApp(let permission)?, .publishable(or: let permission)?:
            grants.hasAnywhere(permission)
        case .key?, .person?, nil: false
        }
    }

    /// As `tools/list` has it. Reading changes nothing, and nothing is deleted.
    var json: JSON {
        [
            "name": .string(name), "description": .string(summary), "inputSchema": schema,
            "annotations": [
                "readOnlyHint": .bool(route.audit.isNever), "destructiveHint": false, "openWorldHint": false,
            ],
        ]
    }

    /// The path with its query, the headers and the body of a call; throws for arguments that are missing.
    func request(_ arguments: JSON) throws(AssistantMessage.Failure) -> (
        path: String, headers: HTTPFields, body: [UInt8]
    ) {
        guard case .object(let members) = arguments else { throw .params("arguments must be an object.") }
        var path = route.pattern
        var query: [String] = []
        for name in pathNames {
            guard let value = arguments[name].flatMap(Self.parameter), !value.isEmpty else {
                throw .params("arguments.\(name) is missing.")
            }
            path = path.replacing("{\(name)}", with: Self.encoded(value))
        }
        for name in queryNames {
            guard let value = arguments[name].flatMap(Self.parameter) else { continue }
            query.append("\(name)=\(Self.encoded(value))")
        }
        let known = pathNames + queryNames + (takesVersion ? ["version"] : []) + (takesBody ? ["body"] : [])
        if let other = members.first(where: { !known.contains($0.key) }) {
            throw .params("There is no argument \(other.key); there are \(known.joined(separator: ", ")).")
        }
        var headers: HTTPFields = [:]
        if takesVersion, let version = arguments["version"].flatMap(Self.parameter) {
            headers[.ifMatch] = "\"\(version)\""
        }
        var body: [UInt8] = []
        if takesBody, let json = arguments["body"], json != .null {
            body = json.encoded()
            headers[.contentType] = "application/json"
        }
        return (query.isEmpty ? path : path + "?" + query.joined(separator: "&"), headers, body)
    }

    /// Percent-encoded (RFC 3986 §2.1), so that it is one segment of a path or one value of a query.
    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let character = Character(UnicodeScalar(byte))
            let isUnreserved = byte < 128 && (character.isLetter || character.isNumber || "-._~".contains(character))
            result += isUnreserved ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }

    /// A scalar as text, and a list of scalars as the API takes one.
    private static func parameter(_ json: JSON) -> String? {
        switch json {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let value): value ? "true" : "false"
        case .array(let elements): elements.compactMap(parameter).joined(separator: ",")
        case .null, .object: nil
        }
    }
}
