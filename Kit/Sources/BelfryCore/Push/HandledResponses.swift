import Foundation

/// The responses that were handled, and the push that was opened last. Stored, because iOS reports a launch to the scene
/// and to the delegate, and may end the app in between.
public struct HandledResponses: Codable, Equatable, Sendable {
    /// Responses that are remembered.
    public static let maximumKeys = 100
    /// A conversion that comes later is not the push's.
    public static let conversionWindow: TimeInterval = 7 * 24 * 60 * 60

    private struct Opening: Codable, Equatable, Sendable {
        let messageID: String
        let at: Date
    }

    private var keys: [String] = []
    private var opening: Opening?

    /// Nothing has been handled.
    public init() {}

    /// Returns false if the same response was handled already.
    public mutating func handle(_ response: ResponseEvent, at date: Date) -> Bool {
        guard !keys.contains(response.key) else { return false }
        keys.append(response.key)
        if keys.count > Self.maximumKeys { keys.removeFirst() }
        if let event = response.event, event.kind != .dismissed {
            opening = Opening(messageID: event.messageID, at: date)
        }
        return true
    }

    /// The message that a conversion at this time belongs to; nil if none was opened shortly before.
    public func convertedMessage(at date: Date) -> String? {
        guard let opening, (0...Self.conversionWindow).contains(date.timeIntervalSince(opening.at)) else { return nil }
        return opening.messageID
    }
}
