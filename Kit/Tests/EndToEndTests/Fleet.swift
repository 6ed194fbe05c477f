import Foundation
import Testing

@testable import BelfryCore

/// The phones of the test, and their app on the server. The part that each phone plays depends on its number only.
struct Fleet {
    static let topic = "offers"

    let server: BelfryServer
    let phones: [Phone]
    /// The app's own server signs user ids with it.
    private let identityKey: String

    init(_ server: BelfryServer, in folder: URL, count: Int) async throws {
        self.server = server
        let shared = URLSessionTransport()
        phones = (0..<count).map { Phone($0, in: folder, server.configuration, shared) }
        identityKey = try #require(try await server.send("POST", "identity-key")["secret"]?.string)
        try await server.send("PATCH", body: .object(["identity_verification": .bool(true)]))
        try await server.send("POST", "topics", body: .of(#"{"key": "offers", "name": "Offers"}"#))
    }

    /// The first launch. Some have no network, and some of these crash before they have one.
    func register() async throws {
        let key = identityKey
        try await Phone.each(phones) { phone in
            let number = phone.number
            if number % 7 == 3 { phone.network.become(.offline) }
            try await phone.launch()
            if number.isMultiple(of: 2) { await phone.logIn("person-\(number)", key: key) }
            await phone.client.flush()
            if number % 14 == 3 { try await phone.crash() }
            phone.network.become(.online)
            await phone.client.flush()
        }
    }

    func optOut() async throws {
        try await Phone.each(phones.filter { $0.isAgainstOffers || $0.isAgainstAll }) { phone in
            let topic = phone.isAgainstAll ? Topic.all : Self.topic
            await phone.client.setOptedOut(true, of: topic)
            await phone.client.flush()
            guard !phone.isAgainstAll else { return }
            #expect(await phone.client.topics(locale: "en")?.first?.isOptedOut == true)
        }
    }

    /// Apple has unregistered the tokens of some phones, whose app comes back: the answer to any change says that the
    /// device is retired.
    func comeBack() async throws {
        try await Phone.each(phones.filter(\.isGone)) { phone in
            var change = DeviceChange()
            change.device.addedTags = ["back"]
            await phone.client.update(change)
            await phone.client.flush()
        }
    }

    /// Some change their mind about offers, some log out or change places, some get another token, and some are retired.
    func changeEverything() async throws {
        let key = identityKey
        let server = server
        try await Phone.each(phones) { phone in
            let number = phone.number
            if phone.isRetired {
                try await server.send("DELETE", "devices", try #require(await phone.installation))
                var change = DeviceChange()
                change.device.addedTags = ["returned"]
                await phone.client.update(change)
            }
            if phone.isForgiving {
                await phone.client.setOptedOut(false, of: Self.topic)
            }
            if phone.isChangingPlaces {
                phone.network.become(.offline)
                await phone.logOut()
                await phone.client.flush()
                await phone.logIn("next-\(number)", key: key)
                await phone.client.flush()
                phone.network.become(.online)
            }
            if phone.isLoggingOut { await phone.logOut() }
            if number % 9 == 2 { try await phone.changeToken() }
            await phone.client.flush()
        }
    }
}

extension Phone {
    nonisolated var isDenied: Bool { number.isMultiple(of: 10) }
    nonisolated var isAgainstOffers: Bool { number % 20 == 4 }
    nonisolated var isAgainstAll: Bool { number % 50 == 17 }
    /// Takes its opt-out back.
    nonisolated var isForgiving: Bool { number % 40 == 4 }
    nonisolated var isRetired: Bool { number % 11 == 5 }
    /// Apple answers 410 to a push.
    nonisolated var isGone: Bool { number % 199 == 6 && !isDenied && !isAgainstAll }
    nonisolated var isLoggingOut: Bool { number % 12 == 8 }
    /// Another person logs in before the logout was sent.
    nonisolated var isChangingPlaces: Bool { number % 12 == 2 }
}

extension JSONValue {
    static func of(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }
}
