import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The part of an app that talks to Belfry.
struct SampleClient {
    /// For example https://push.example.com/v1/apps/1
    let api: URL
    let publishableKey: String
    /// A random text that is created once and stays in the Keychain.
    let installation: String

    /// Call it after each launch, and when iOS gives the app a new token. Without a user it is a logout.
    func register(token: Data, isDevelopment: Bool, userID: String?, firstName: String?) async throws {
        var body: [String: Any] = [
            "token": token.map { String(format: "%02x", $0) }.joined(),
            "environment": isDevelopment ? "development" : "production",
            "locale": Locale.current.identifier, "time_zone": TimeZone.current.identifier,
        ]
        if let userID {
            body["user_id"] = userID
            // null removes the name of a person who has deleted it.
            body["person"] = ["attributes": ["first_name": firstName as Any? ?? NSNull()]]
        }
        _ = try await send("PUT", "devices/\(installation)", body)
    }

    /// Returns false if Belfry has retired the device: then register again.
    func logOut() async throws -> Bool {
        let answer = try await send("PATCH", "devices/\(installation)", ["user_id": NSNull()])
        return answer["registered"] as? Bool ?? false
    }

    /// Events that are not listed in `failed` are stored; failed ones never will be. So all can leave the queue.
    func acknowledge(_ events: [(messageID: String, kind: String, at: Date)]) async throws {
        let format = ISO8601DateFormatter()
        let list = events.map { ["message_id": $0.messageID, "kind": $0.kind, "at": format.string(from: $0.at)] }
        _ = try await send("POST", "acknowledgements", ["events": list])
    }

    /// Throws if the request should be sent again later: no connection, 429 or 5xx.
    private func send(_ method: String, _ path: String, _ body: [String: Any]) async throws -> [String: Any] {
        var request = URLRequest(url: api.appendingPathComponent(path))
        request.httpMethod = method
        request.setValue("Bearer \(publishableKey)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status != 429, status < 500 else { throw URLError(.badServerResponse) }
        let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        // 4xx: the app has a mistake, and repeating does not help. `detail` says what is wrong.
        if status >= 400 { print(answer["code"] ?? "", answer["detail"] ?? "") }
        return answer
    }
}
