import ArgumentParser
import Campaigns
import EventLoop
import HTTPTypes
import JSON
import Notifications
import TLS

extension Send {
    /// The server connects to Apple and waits for the answers within this time.
    private static let deadline = Duration.seconds(60)

    /// Sends the push through the API of a running Belfry.
    func sendThroughAPI(on loop: EventLoop) async throws -> [Report] {
        guard let app, AppID(app) != nil else {
            throw ValidationError("--app must be the number of an app, such as 1.")
        }
        let key = try APIKeyArgument.read(key, file: keyFile)
        let trust: TLSContext.Trust = caFile.map { .file($0) } ?? .systemRoots
        let body = try requestBody()
        return try await withTaskExecutorPreference(loop) {
            let api = try APIClient(url: url, trust: trust, key: key, on: loop)
            let answer: JSON
            do {
                answer = try await api.send(.post, "/v1/apps/\(app)/test-pushes", body, deadline: Self.deadline)
            } catch {
                await api.close()
                throw error
            }
            await api.close()
            for problem in (answer["problems"] ?? .null).elements {
                let parts = [problem["path"]?.text, problem["message"]?.text].compactMap { $0 }.filter { !$0.isEmpty }
                print("  note      \(parts.joined(separator: ": "))")
            }
            return (answer["data"] ?? .null).elements.map { Report($0) }
        }
    }

    private func requestBody() throws -> JSON {
        var members: [JSON.Member] = []
        func add(_ key: String, _ value: JSON?) {
            if let value { members.append(JSON.Member(key, value)) }
        }
        if let template {
            guard payload == nil else { throw ValidationError("--payload can't be combined with --template.") }
            add("template", .string(template))
        } else {
            add("payload", try payloadJSON())
        }
        if device.isEmpty {
            guard let token else { throw ValidationError("--device or --token is required; see belfry send --help.") }
            add("token", .string(token.trimmed))
            add("environment", .string(environment.rawValue))
        } else {
            guard token == nil else { throw ValidationError("--device can't be combined with --token.") }
            add("installations", .array(device.map { .string($0) }))
        }
        add("push_type", pushType.map { .string($0) })
        add("priority", priority.map { .number(JSON.Number($0)) })
        add("expiration_seconds", expiration.map { .number(JSON.Number($0)) })
        add("collapse_id", collapseID.map { .string($0) })
        return .object(members)
    }
}

extension Send.Report {
    /// From the API's answer.
    fileprivate init(_ json: JSON) {
        answer = TestPushResult(
            json["outcome"]?.text.flatMap { TestPushResult.State(rawValue: $0) } ?? .unknown,
            host: json["host"]?.text, status: json["status"]?.int, reason: json["reason"]?.text,
            uniqueID: json["apns_unique_id"]?.text, meaning: Message(verbatim: json["meaning"]?.text ?? ""),
            remedy: (json["remedy"]?.text).map { Message(verbatim: $0) })
        id = json["apns_id"]?.text ?? ""
        device = json["nickname"]?.text ?? json["installation"]?.text
        since = json["invalid_since"]?.text
    }
}
