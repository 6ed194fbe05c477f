import Foundation

/// The event that a `UNNotificationResponse` stands for.
public struct ResponseEvent: Sendable {
    /// `UNNotificationDefaultActionIdentifier`: a tap on the notification itself.
    public static let defaultAction = "com.apple.UNNotificationDefaultActionIdentifier"
    /// `UNNotificationDismissActionIdentifier`: a dismissal, which is no open.
    public static let dismissAction = "com.apple.UNNotificationDismissActionIdentifier"

    /// The event to record; nil if the notification is not Belfry's.
    public let event: Event?
    /// Equal for both callbacks of one tap: iOS reports a launch to the scene and to the delegate. Store it, and
    /// ignore a second response with the same key. It has the message's ID, since pushes with one collapse ID share the
    /// identifier of their request.
    public let key: String

    /// `text` is nil unless the response is a `UNTextInputNotificationResponse`. `requestID` is the notification's.
    public init(push: Push, requestID: String, action: String, text: String? = nil, at date: Date) {
        key = "\(push.messageID ?? requestID)\u{0}\(action)"
        let kind: Event.Kind
        switch action {
        case Self.defaultAction: kind = .opened
        case Self.dismissAction: kind = .dismissed
        default: kind = .action
        }
        let named = kind == .action ? action : nil
        if named == "" {
            event = nil
        } else if let id = push.messageID {
            // The server refuses an empty reply, so a sent empty field counts as its action.
            if let named, let text, !text.isEmpty {
                event = Event(messageID: id, kind: .text, at: date, action: named, text: text)
            } else {
                event = Event(messageID: id, kind: kind, at: date, action: named)
            }
        } else {
            // The reply to a local notification is the app's.
            event = LocalNotificationID(requestID: requestID, push: push).map {
                Event(of: $0, kind: kind, at: date, action: named)
            }
        }
    }
}
