import Foundation

/// The event that a `UNNotificationResponse` stands for.
public struct ResponseEvent: Sendable, Equatable {
    /// `UNNotificationDefaultActionIdentifier`: a tap on the notification itself.
    public static let defaultAction = "com.apple.UNNotificationDefaultActionIdentifier"
    /// `UNNotificationDismissActionIdentifier`: a dismissal, which is no open.
    public static let dismissAction = "com.apple.UNNotificationDismissActionIdentifier"

    /// The event to record; nil if the push is not Belfry's.
    public let event: Event?
    /// Equal for both callbacks of one tap: iOS reports a launch to the scene and to the delegate. Store it, and
    /// ignore a second response with the same key.
    public let key: String

    /// `text` is nil unless the response is a `UNTextInputNotificationResponse`. `requestID` is the notification's.
    public init(push: Push, requestID: String, action: String, text: String? = nil, at date: Date) {
        key = "\(requestID)\u{0}\(action)"
        guard let id = push.messageID else {
            event = nil
            return
        }
        switch (action, text) {
        case (Self.defaultAction, _): event = Event(messageID: id, kind: .opened, at: date)
        case (Self.dismissAction, _): event = Event(messageID: id, kind: .dismissed, at: date)
        // The server refuses an empty reply, so a sent empty field counts as its action.
        case (_, let text?) where !text.isEmpty:
            event = Event(messageID: id, kind: .text, at: date, action: action, text: text)
        case ("", _): event = nil
        default: event = Event(messageID: id, kind: .action, at: date, action: action)
        }
    }
}
