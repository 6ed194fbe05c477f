import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The part of an app that talks to Belfry.
struct SampleClient {
    /// An acknowledgement in the app's queue.
    struct Event: Codable {
        let messageID: String
        let kind: String
        let at: Date
    }

    /// What the app does after an answer.
    enum Next: Equatable {
        /// The request is done: its events leave the queue.
        case goOn
        /// The same, and the app calls `register`, because Belfry has retired the device.
        case registerAgain
        /// The request is sent again, at the earliest after these seconds; without a number after growing pauses.
        case tryAgain(after: TimeInterval?)
        /// The queue stays as it is until an update of the app brings another key.
        case waitForUpdate
        /// The app has a mistake that repeating does not mend: the request is dropped.
        case drop
    }

    /// For example https://push.example.com/v1/apps/1
    let api: URL
    let publishableKey: String
    /// A random text that is created once and stays in the Keychain.
    let installation: String

    /// Call it after each launch, and when iOS gives the app a new token. Without a user it is a logout. The status is
    /// that of UNUserNotificationCenter: "not_determined", "denied", "authorized", "provisional" or "ephemeral".
    ///
    /// A repeated request keeps the time of the first one: then it can't undo what the app has sent since.
    func register(
        token: Data, isDevelopment: Bool, authorizationStatus: String, userID: String?, firstName: String?,
        sentAt: Date
    ) async throws -> Next {
        var body: [String: Any] = [
            "token": token.map { String(format: "%02x", $0) }.joined(),
            "environment": isDevelopment ? "development" : "production",
            // A PUT clears what it leaves out.
            "authorization_status": authorizationStatus,
            "locale": Locale.current.identifier, "time_zone": TimeZone.current.identifier,
            "sent_at": Self.text(sentAt),
        ]
        if let userID {
            body["user_id"] = userID
            // null removes the name of a person who has deleted it.
            body["person"] = ["attributes": ["first_name": firstName as Any? ?? NSNull()]]
        }
        return try await send("PUT", "devices/\(installation)", body)
    }

    /// With the user, it can't log out the next one. A repeated request keeps its time.
    func logOut(_ userID: String, sentAt: Date) async throws -> Next {
        try await send(
            "POST", "devices/\(installation)/logout", ["user_id": userID, "sent_at": Self.text(sentAt)])
    }

    /// At most 1,000 events. A request that is too large is sent in halves; if one half has to wait, both are repeated,
    /// and each event counts once.
    func acknowledge(_ events: [Event]) async throws -> Next {
        let list = events.map { ["message_id": $0.messageID, "kind": $0.kind, "at": Self.text($0.at)] }
        // The device's time, by which Belfry corrects the times of a wrong clock.
        let body: [String: Any] = ["sent_at": Self.text(Date()), "events": list]
        let (status, next) = try await answer("POST", "acknowledgements", body)
        guard status == 413, events.count > 1 else { return next }
        let half = events.count / 2
        let first = try await acknowledge(Array(events[..<half]))
        guard first == .goOn || first == .registerAgain || first == .drop else { return first }
        let second = try await acknowledge(Array(events[half...]))
        return second == .goOn || second == .drop ? first : second
    }

    private func send(_ method: String, _ path: String, _ body: [String: Any]) async throws -> Next {
        try await answer(method, path, body).next
    }

    /// Throws without an answer, for example without a network: then the request is sent again later.
    private func answer(
        _ method: String, _ path: String, _ body: [String: Any]
    ) async throws -> (status: Int, next: Next) {
        var request = URLRequest(url: api.appendingPathComponent(path))
        request.httpMethod = method
        request.setValue("Bearer \(publishableKey)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONSerialization.data(withJSONObject: body)
        let (data, response) = try await URLSession.shared.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        // A proxy may answer with something else than JSON.
        let answer = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
        let retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap(TimeInterval.init)
        let next = Self.next(response.statusCode, answer, retryAfter: retryAfter)
        if next == .drop { print(answer["code"] ?? "", answer["detail"] ?? "") }
        return (response.statusCode, next)
    }

    static func next(_ status: Int, _ answer: [String: Any], retryAfter: TimeInterval?) -> Next {
        switch status {
        case 200..<300: answer["registered"] as? Bool == false ? .registerAgain : .goOn
        case 401, 403: .waitForUpdate
        case 404 where answer["code"] as? String == "device-not-found": .registerAgain
        case 408, 429, 500...: .tryAgain(after: retryAfter)
        default: .drop
        }
    }

    private static func text(_ date: Date) -> String {
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return format.string(from: date)
    }
}
