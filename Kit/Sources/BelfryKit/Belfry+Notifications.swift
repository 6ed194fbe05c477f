import BelfryCore
import Foundation
@preconcurrency import UserNotifications

extension Belfry {
    private var keys: PayloadKeys { client?.payloadKeys ?? PayloadKeys() }

    /// Records an event of a push in one line, from any thread: it is on the disk before the call returns, and sent as
    /// soon as possible. A push that is not Belfry's is ignored.
    public func record(_ userInfo: [AnyHashable: Any], _ kind: Event.Kind) {
        let push = Push(userInfo: userInfo, keys: keys)
        perform { client in try client.record(push, kind) }
    }

    /// The person tapped a push or a local notification of the server, chose an action, replied, or dismissed it. Call it from
    /// `userNotificationCenter(_:didReceive:withCompletionHandler:)`, go where the result says, and call the completion
    /// handler. An app with scenes passes `connectionOptions.notificationResponse`, too: a response that iOS reports
    /// twice is `.repeated` the second time.
    ///
    /// `.foreign` says that the notification is not Belfry's. Before `start` it says so, too, but the event is kept.
    public func handle(_ response: UNNotificationResponse) -> Client.Handling {
        let request = response.notification.request
        let push = Push(userInfo: request.content.userInfo, keys: keys)
        let (id, action) = (request.identifier, response.actionIdentifier)
        let text = (response as? UNTextInputNotificationResponse)?.userText
        let handling = perform { client in try client.handle(push, requestID: id, action: action, text: text) }
        if let handling, handling != .foreign, response.actionIdentifier != ResponseEvent.dismissAction {
            influenced.withLock { $0.tapped(messageID: push.messageID) }
        }
        return handling ?? .foreign
    }

    /// A push or a local notification appears while the app is in the foreground. Call it from
    /// `userNotificationCenter(_:willPresent:withCompletionHandler:)` and pass the result on, or less: it is what iOS
    /// can show. Return `[]` yourself for a push that is not to be shown, and do not call this.
    public func willPresent(_ notification: UNNotification) -> UNNotificationPresentationOptions {
        let request = notification.request
        let push = Push(userInfo: request.content.userInfo, keys: keys)
        if let local = LocalNotificationID(requestID: request.identifier, push: push) {
            perform { client in try client.record(local, .presented) }
        } else {
            perform { client in try client.record(push, .presented) }
        }
        if #available(iOS 14, *) { return [.banner, .list, .badge, .sound] }
        return [.alert, .badge, .sound]
    }

    /// A silent push woke the app. Call it from `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`,
    /// use the push's `custom` members, and call that completion handler. iOS delays silent pushes as it likes, and
    /// sends none to an app that the person has closed, so count on none. Nil if the push is not Belfry's.
    public func receive(_ userInfo: [AnyHashable: Any]) -> Push? {
        let push = Push(userInfo: userInfo, keys: keys)
        guard push.messageID != nil else { return nil }
        perform { client in try client.record(push, .delivered) }
        return push
    }

    /// The person did what a push was for, such as `purchase`. It counts for the push that they opened last, within a
    /// week. Returns false if there is none.
    @discardableResult
    public func convert(_ name: String, value: Double? = nil) -> Bool {
        perform { client in try client.convert(name, value: value) } ?? false
    }

    /// The app is becoming active: call it from `sceneDidBecomeActive` or `applicationDidBecomeActive`. If no tap opened
    /// the app, the pushes of the last 12 hours that are still shown have influenced the opening, and it is recorded.
    public func recordInfluencedOpens() async {
        influenced.withLock { $0.activated() }
        // The response to a tap arrives with the activation, or shortly after.
        // A task that ends earlier, as one of SwiftUI does when the app leaves the screen, has not seen all of it.
        guard (try? await Task.sleep(nanoseconds: Self.settlingTime)) != nil, let client else { return }
        let keys = keys
        let center = center
        let shown = await withCheckedContinuation { continuation in
            center().getDeliveredNotifications { notifications in
                continuation.resume(
                    returning: notifications.compactMap { notification in
                        Push(userInfo: notification.request.content.userInfo, keys: keys).messageID.map {
                            InfluencedOpens.Shown(messageID: $0, arrivedAt: notification.date)
                        }
                    })
            }
        }
        let events = influenced.withLock { $0.settled(shown: shown, at: Date()) }
        for event in events { perform { client in try client.record(event) } }
        if !events.isEmpty { await client.flush() }
    }

    /// Nanoseconds after an activation in which the response to its tap arrives.
    static let settlingTime: UInt64 = 1_000_000_000

    /// Runs what may fail because the disk is full: then a diagnostic says so, and the app goes on. Before `start` the work
    /// waits for it, and the result is nil.
    @discardableResult
    func perform<Result>(_ work: @escaping @Sendable (Client) throws -> Result) -> Result? {
        guard let client else {
            changes.add { [weak self] client in
                client.report(
                    Diagnostic(
                        .configuration, "not-started",
                        "The app reported an event before it called start. Start the kit first of all, so that the app "
                            + "learns where a tap leads."))
                _ = self?.perform(work)
            }
            return nil
        }
        do {
            let result = try work(client)
            changes.add { await $0.send() }
            return result
        } catch {
            client.report(Diagnostic(.storage, "event", "An event can't be stored, so it is lost: \(error)"))
            return nil
        }
    }
}
