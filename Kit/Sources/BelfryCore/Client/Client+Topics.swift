import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A kind of message that a person can opt out of, for a switch in the app's settings.
public struct Topic: Sendable, Equatable {
    /// The key of the opt-out from all campaigns.
    public static let all = "*"

    /// The name for `setOptedOut`.
    public let key: String
    /// In the language that was asked for.
    public let name: String
    /// A sentence below the switch.
    public let details: String?
    /// By the installation, or by the person on any of their devices.
    public let isOptedOut: Bool
}

extension Client {
    /// The switches of a settings screen, from the server. Nil without a network, or before the device is registered.
    ///
    /// With `all`, the app's own name for all campaigns, the first switch is that of `Topic.all`. An import may have set
    /// it for people who unsubscribed elsewhere, and they can take it back nowhere else.
    public func topics(locale: String, all: String? = nil) async -> [Topic]? {
        guard let installation = knownInstallation(),
            let list = await read(["topics"], query: [("locale", locale)])?["data"]?.array,
            let device = await read(["devices", installation], signature: user?.signature)
        else { return nil }
        let optOuts = [device, device["person"] ?? .null].flatMap { $0["opt_outs"]?.array ?? [] }
        func topic(_ key: String, _ name: String, _ details: String?) -> Topic {
            Topic(key: key, name: name, details: details, isOptedOut: optOuts.contains(.string(key)))
        }
        let topics = list.compactMap { entry -> Topic? in
            guard let key = entry["key"]?.string, let name = entry["name"]?.string else { return nil }
            return topic(key, name, entry["description"]?.string.flatMap { $0.isEmpty ? nil : $0 })
        }
        return (all.map { [topic(Topic.all, $0, nil)] } ?? []) + topics
    }

    /// Stores the choice before it returns, and sends it as soon as possible. An opt-out holds for the installation and,
    /// if somebody is logged in, for the person; taking it back does so for both. `Topic.all` stands for all campaigns.
    public func setOptedOut(_ isOptedOut: Bool, of topic: String) {
        var values = DeviceChange.Values()
        if isOptedOut { values.addedOptOuts = [topic] } else { values.removedOptOuts = [topic] }
        var change = DeviceChange()
        change.device = values
        change.person = values
        apply(change)
    }

    private func read(
        _ path: [String], query: [(String, String?)] = [], signature: String? = nil
    ) async -> JSONValue? {
        guard configuration.mistake == nil else { return nil }
        var request = configuration.request("GET", path, query: query)
        // An app that verifies identities reads what is the person's with it only.
        if let signature { request.setValue(signature, forHTTPHeaderField: "User-ID-Signature") }
        let result = await transport.send(request)
        note(result)
        guard case .answer(let answer) = result, answer.status == 200 else { return nil }
        let json = answer.json
        if json == nil { reports.report(Diagnostic(.unreadable, path[0], "The server's answer is no JSON.")) }
        return json
    }
}
