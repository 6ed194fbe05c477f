import BelfryCore
import Foundation
@preconcurrency import UserNotifications

#if canImport(UIKit)
    import UIKit
#endif

extension Belfry {
    /// The token of `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`, or of another kind. Ask iOS for
    /// it at each launch, also if notifications are denied: the person may allow them later.
    public func register(token: Data, as kind: TokenKind = .alert) {
        changes.add { client in
            guard let token = DeviceToken(token) else {
                client.report(Diagnostic(.refused, "token", "A token must have 1 to 200 bytes."))
                return
            }
            await client.register(token, as: kind)
        }
    }

    /// States the permission, the language, the zone and the versions again, and fetches categories and local plans.
    /// `start` does so; call it when the app comes to the foreground, and after the person has answered the question
    /// for permission. `reserving` is the number of local notifications that the app keeps for its own; nil: as before.
    public func refresh(reserving: Int? = nil) {
        let center = center
        let reserved = reserved(reserving)
        changes.add { client in
            await client.update(await DeviceState.current(center()))
            await client.refresh()
        }
        fetches.add { [weak self] client in
            await client.fetchConfiguration()
            await self?.setCategories(client)
            await self?.schedulePlans(client, reserving: reserved)
            await client.flush()
        }
    }

    /// Asks the person for permission, then states the answer. iOS asks once; later calls return the answer at once.
    @discardableResult
    public func requestAuthorization(_ options: UNAuthorizationOptions = [.alert, .badge, .sound]) async -> Bool {
        let center = center
        let isGranted = await withCheckedContinuation { continuation in
            center().requestAuthorization(options: options) { isGranted, _ in continuation.resume(returning: isGranted)
            }
        }
        changes.add { client in await client.update(await DeviceState.current(center())) }
        return isGranted
    }

    /// The person who uses the app. `signature` is the HMAC that the app's own server makes, if Belfry asks for it;
    /// `person` are values of the person, as `person` of a registration. Another one is logged out first.
    public func logIn(_ id: String, signature: String? = nil, person: JSONValue? = nil) {
        changes.add { client in await client.logIn(User(id: id, signature: signature, person: person)) }
    }

    /// Nobody uses the app any more. The server learns it, also if the phone is offline now.
    public func logOut() { changes.add { client in await client.logOut() } }

    /// Changes tags, opt-outs or attributes.
    public func update(_ change: DeviceChange) { changes.add { client in await client.update(change) } }

    /// The switches for a settings screen, from the server; nil without a network. With `all`, the app's name for all
    /// campaigns, the first one is that of `Topic.all`.
    public func topics(all: String? = nil) async -> [Topic]? {
        guard client != nil else { return nil }
        await changes.settle()
        return await client?.topics(locale: Locale.preferred, all: all)
    }

    /// The person's choice on that screen. `Topic.all` stands for all campaigns.
    public func setOptedOut(_ isOptedOut: Bool, of topic: String) {
        changes.add { client in await client.setOptedOut(isOptedOut, of: topic) }
    }
}

extension Locale {
    /// The language that the person has chosen, which need not be one that the app has.
    static var preferred: String { preferredLanguages.first ?? current.identifier }
}
