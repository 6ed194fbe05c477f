import Administration
import HTTPTypes
import JSON
import Testing

@testable import API

/// Assistants use the API by the Model Context Protocol, and can do no more than their caller.
@Suite struct AssistantRoutesTests {
    private static let meta: JSON = [
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": [:],
        "io.modelcontextprotocol/clientInfo": ["name": "Test assistant", "version": "1"],
    ]

    /// A request of the protocol without sessions.
    private static func ask(
        _ api: APIFixture, _ method: String, _ params: [JSON.Member] = [], as person: HTTPFields? = nil,
        changing headers: [String: String] = [:]
    ) async throws -> Answer {
        var fields: HTTPFields = person ?? [.authorization: "Bearer \(api.admin)"]
        fields[.contentType] = "application/json"
        var all = ["MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method]
        if let name = params.first(where: { $0.key == "name" })?.value.string { all["Mcp-Name"] = name }
        for (name, value) in all.merging(headers, uniquingKeysWith: { $1 }) {
            fields[try #require(HTTPField.Name(name))] = value
        }
        let body: JSON = [
            "jsonrpc": "2.0", "id": 7, "method": .string(method),
            "params": .object(params + [JSON.Member("_meta", meta)]),
        ]
        return try await api.send(.post, "/mcp", body, key: .some(nil), headers: fields)
    }

    private static func call(
        _ api: APIFixture, _ tool: String, _ arguments: JSON, as person: HTTPFields? = nil
    ) async throws -> JSON {
        let answer = try await ask(
            api, "tools/call", [JSON.Member("name", .string(tool)), JSON.Member("arguments", arguments)], as: person)
        return try #require(try answer.json["result"], "\(String(decoding: answer.body, as: UTF8.self))")
    }

    private static func tools(_ api: APIFixture, as person: HTTPFields? = nil) async throws -> [JSON] {
        try #require(try await ask(api, "tools/list", as: person).json["result"]?["tools"]?.elements)
    }

    @Test func serverSaysWhatItSpeaksAndOffers() async throws {
        try await APIFixture.run { api in
            let found = try await Self.ask(api, "server/discover").json["result"]
            #expect(found?["supportedVersions"]?.elements?.first == "2026-07-28" && found?["resultType"] == "complete")
            #expect(found?["capabilities"]?["tools"] != nil && found?["cacheScope"] == "private")
            let tools = try await Self.tools(api)
            // The description has each operation, and nothing among them sends.
            #expect(tools.count == AssistantTool.operations.count)
            let names = tools.compactMap { $0["name"]?.string }
            for verb in ["start", "schedule", "trigger", "resume", "send", "delete", "approve", "cancel"] {
                #expect(!names.contains { $0.hasPrefix(verb) }, "\(verb)")
            }
            let create = try #require(tools.first { $0["name"] == "create_campaign" })
            #expect(create["inputSchema"]?["properties"]?["body"]?["$ref"] == "#/$defs/CampaignNew")
            #expect(create["inputSchema"]?["$defs"]?["AudienceCondition"] != nil)
            #expect(create["annotations"]?["readOnlyHint"] == false)
            let list = try #require(tools.first { $0["name"] == "list_campaigns" })
            #expect(list["annotations"]?["readOnlyHint"] == true && list["inputSchema"]?["required"] == ["app"])
        }
    }

    @Test func assistantDraftsACampaignAsItsCaller() async throws {
        try await APIFixture.run { api in
            let app = try await api.readyApp()
            let marketer = try await api.browser("max@example.com", [RoleAssignment(.marketer)])
            let made = try await Self.call(
                api, "create_campaign",
                ["app": .string(app), "body": ["name": "Sale", "payload": ["aps": ["alert": "Hi"]]]], as: marketer)
            #expect(made["isError"] == false && made["structuredContent"]?["state"] == "draft")
            let id = try #require(made["structuredContent"]?["id"])
            let changed = try await Self.call(
                api, "update_campaign", ["app": .string(app), "campaign": id, "version": 1, "body": ["priority": 5]],
                as: marketer)
            #expect(changed["structuredContent"]?["priority"] == 5)
            let forecast = try await Self.call(
                api, "forecast_campaign", ["app": .string(app), "campaign": id], as: marketer)
            #expect(forecast["structuredContent"]?["sent"] == 1)
            // What people wrote is marked as theirs.
            #expect(forecast["content"]?.elements?.first?["text"]?.string?.contains("not instructions") == true)
            // The audit log names the assistant.
            let records = try await api.send(.get, "/v1/audit").json["data"]?.elements ?? []
            let actors = records.compactMap { $0["actor"]?["name"]?.string }
            #expect(actors.contains("max@example.com, by Test assistant"), "\(actors)")
        }
    }

    @Test func refusalsOfTheAPIAreResultsThatSayWhatToDo() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let refused = try await Self.call(api, "create_campaign", ["app": .string(app), "body": ["name": "Sale"]])
            #expect(refused["isError"] == true && refused["structuredContent"] == nil)
            #expect(refused["content"]?.elements?.last?["text"]?.string?.contains("payload is required") == true)
            let missing = try await Self.call(api, "get_app", ["app": "999"])
            #expect(missing["isError"] == true)
            // An argument can't lead to another address.
            let path = try await Self.call(api, "get_app", ["app": .string("\(app)/campaigns")])
            #expect(path["isError"] == true)
        }
    }

    @Test func toolsAreThoseOfTheCallersRole() async throws {
        try await APIFixture.run { api in
            let app = try await api.app()
            let viewer = try await api.browser("vi@example.com", [RoleAssignment(.viewer)])
            let names = try await Self.tools(api, as: viewer).compactMap { $0["name"]?.string }
            #expect(names.contains("list_campaigns") && !names.contains("create_campaign"))
            // Nothing about a person without devices:read.
            #expect(!names.contains("explain_delivery") && !names.contains("list_replies"))
            let answer = try await Self.ask(
                api, "tools/call",
                [JSON.Member("name", "create_campaign"), JSON.Member("arguments", ["app": .string(app)])], as: viewer)
            #expect(try answer.status == 400 && answer.json["error"]?["code"] == -32_602)
            let stranger = try await api.send(.post, "/mcp", ["jsonrpc": "2.0"], key: .some(nil))
            #expect(stranger.status == 401)
            let phone = try await api.send(
                .post, "/v1/apps/\(app)/keys", ["name": "P", "kind": "publishable"])
            #expect(try await api.send(.post, "/mcp", [:], key: phone.text("key")).status == 403)
        }
    }

    @Test func earlierVersionsBeginWithInitialize() async throws {
        try await APIFixture.run { api in
            func ask(_ body: JSON, version: String? = nil) async throws -> Answer {
                var headers: HTTPFields = [:]
                if let version { headers[try #require(HTTPField.Name("MCP-Protocol-Version"))] = version }
                return try await api.send(.post, "/mcp", body, headers: headers)
            }
            func request(_ method: String, _ params: JSON = [:]) -> JSON {
                ["jsonrpc": "2.0", "id": "a", "method": .string(method), "params": params]
            }
            let begun = try await ask(request("initialize", ["protocolVersion": "2025-06-18", "capabilities": [:]]))
            #expect(try begun.json["result"]?["protocolVersion"] == "2025-06-18" && begun.json["id"] == "a")
            let newer = try await ask(request("initialize", ["protocolVersion": "2030-01-01"]))
            #expect(try newer.json["result"]?["protocolVersion"] == "2025-11-25")
            let note = try await ask(["jsonrpc": "2.0", "method": "notifications/initialized"], version: "2025-11-25")
            #expect(note.status == 202 && note.body.isEmpty)
            let list = try await ask(request("tools/list"), version: "2025-11-25").json["result"]
            #expect(list?["tools"]?.elements?.isEmpty == false && list?["resultType"] == nil)
            #expect(try await ask(request("ping"), version: "2025-11-25").json["result"] == [:])
            #expect(try await ask(request("ping"), version: "1999-01-01").json["error"]?["code"] == -32_022)
            #expect(try await api.send(.get, "/mcp").status == 405)
        }
    }

    @Test func messagesThatCanNotBeReadSayWhy() async throws {
        try await APIFixture.run { api in
            func code(_ answer: Answer) throws -> JSON? { try answer.json["error"]?["code"] }
            #expect(try code(try await api.sendText(.post, "/mcp", "{", type: "application/json")) == -32_700)
            for text in ["[]", "{}", #"{"jsonrpc":"2.0","id":{},"method":"x"}"#, #"{"jsonrpc":"1.0","method":"x"}"#] {
                let answer = try await api.sendText(.post, "/mcp", text, type: "application/json")
                #expect(try answer.status == 400 && code(answer) == -32_600, "\(text)")
            }
            let unknown = try await Self.ask(api, "resources/list")
            #expect(try unknown.status == 404 && code(unknown) == -32_601 && unknown.json["id"] == 7)
            for header in ["MCP-Protocol-Version": "2026-07-29", "Mcp-Method": "tools/call"] {
                let answer = try await Self.ask(api, "tools/list", changing: [header.key: header.value])
                #expect(try answer.status == 400 && code(answer) == -32_020, "\(header)")
            }
            let name = try await Self.ask(
                api, "tools/call", [JSON.Member("name", "list_apps")], changing: ["Mcp-Name": "get_app"])
            #expect(try code(name) == -32_020)
            let argument = try await Self.call(api, "list_apps", ["colour": "red"])
            #expect(argument["isError"] == true)
            #expect(argument["content"]?.elements?.last?["text"]?.string?.contains("no argument colour") == true)
        }
    }
}
