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
    private struct TopicList: Decodable {
        struct Entry: Decodable {
            let key: String
            let name: String
            let description: String?
        }

        let data: [Entry]
    }

    private struct OptOuts: Decodable {
        enum CodingKeys: String, CodingKey {
            case topics = "opt_outs"
            case person
        }

        struct Person: Decodable {
            enum CodingKeys: String, CodingKey { case topics = "opt_outs" }

            let topics: [String]?
        }

        let topics: [String]?
        let person: Person?

        var all: Set<String> { Set((topics ?? []) + (person?.topics ?? [])) }
    }

    /// The switches of a settings screen, from the server. Nil without a network, or before the device is registered.
    ///
    /// With `all`, the app's own name for all campaigns, the first switch is that of `Topic.all`. An import may have set
    /// it for people who unsubscribed elsewhere, and they can take it back nowhere else.
    public func topics(locale: String, all: String? = nil) async -> [Topic]? {
        guard let installation = knownInstallation(),
            let list: TopicList = await read(["topics"], query: [("locale", locale)]),
            let device: OptOuts = await read(["devices", installation], signature: user?.signature)
        else { return nil }
        let optedOut = device.all
        let topics = list.data.map {
            Topic(key: $0.key, name: $0.name, details: $0.description, isOptedOut: optedOut.contains($0.key))
        }
        guard let all else { return topics }
        return [Topic(key: Topic.all, name: all, details: nil, isOptedOut: optedOut.contains(Topic.all))] + topics
    }

    /// Stores the choice before it returns, and sends it as soon as possible. An opt-out holds for the installation and,
    /// if somebody is logged in, for the person; taking it back does so for both. `Topic.all` stands for all campaigns.
    public func setOptedOut(_ isOptedOut: Bool, of topic: String) {
        var values = DeviceChange.Values()
        if isOptedOut { values.addedOptOuts = [topic] } else { values.removedOptOuts = [topic] }
        var change = DeviceChange()
        change.device = values
        change.person = values
        update(change)
    }

    private func read<Value: Decodable>(
        _ path: [String], query: [(String, String?)] = [], signature: String? = nil
    ) async -> Value? {
        guard configuration.mistake == nil else { return nil }
        var request = configuration.request("GET", path, query: query)
        // An app that verifies identities reads what is the person's with it only.
        if let signature { request.setValue(signature, forHTTPHeaderField: "User-ID-Signature") }
        let result = await transport.send(request)
        guard case .answer(let answer) = result, answer.status == 200 else { return nil }
        do { return try JSONDecoder().decode(Value.self, from: answer.body) } catch {
            reports.report(Diagnostic(.unreadable, path[0], "\(error)"))
            return nil
        }
    }
}
