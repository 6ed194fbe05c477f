import Foundation

extension Client {
    /// The action that a response to a notification asks of the app.
    public enum Handling: Sendable, Equatable {
        /// The person tapped the notification. The app goes where the push leads.
        case opened(Push)
        /// The person chose one of the category's actions.
        case action(Push, identifier: String)
        /// The person sent a text. An empty one is an `action`.
        case reply(Push, identifier: String, text: String)
        /// The person cleared the notification. iOS reports it only with the option `customDismissAction`.
        case dismissed(Push)
        /// The second report of a response that was handled.
        case repeated
        /// The notification is not Belfry's; the app's other code may know it.
        case foreign
    }

    /// Records the event of a response to a push, or to a local notification of the server, before it returns, from any
    /// thread, and says what the app does next. Call it from
    /// `userNotificationCenter(_:didReceive:withCompletionHandler:)`, and call that completion handler yourself.
    ///
    /// `text` is nil unless it is a `UNTextInputNotificationResponse`. Throws if the disk is full: the result would be
    /// lost, and the response may be handled again.
    public nonisolated func handle(
        _ push: Push, requestID: String, action: String, text: String? = nil
    ) throws -> Handling {
        let now = clock.now
        let response = ResponseEvent(push: push, requestID: requestID, action: action, text: text, at: now)
        guard push.messageID != nil || response.event != nil else { return .foreign }
        // The server counts the second report of a push once. It can't tell for a local notification, which may repeat.
        if let event = response.event, event.notification == nil { try record(event) }
        guard try responses.handle(response, at: now) else { return .repeated }
        if let event = response.event, event.notification != nil { try record(event) }
        switch action {
        case ResponseEvent.defaultAction: return .opened(push)
        case ResponseEvent.dismissAction: return .dismissed(push)
        default:
            if let text, !text.isEmpty { return .reply(push, identifier: action, text: text) }
            return .action(push, identifier: action)
        }
    }

    /// Records that the person did what a push was for, for the push that they opened last, within a week. `name` is like
    /// `purchase`, `value` its amount. Returns false if no push was opened.
    @discardableResult
    public nonisolated func convert(_ name: String, value: Double? = nil) throws -> Bool {
        let now = clock.now
        guard let id = responses.convertedMessage(at: now) else { return false }
        try record(Event(messageID: id, kind: .converted, at: now, action: name, value: value))
        return true
    }
}
