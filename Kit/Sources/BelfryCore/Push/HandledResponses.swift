import Foundation

/// The responses that were handled, and the push that was opened last. Stored, because iOS reports a launch to the scene
/// and to the delegate, and may end the app in between.
struct HandledResponses: Codable, Sendable {
    /// Responses that are remembered.
    static let maximumKeys = 100
    /// A conversion that comes later is not the push's.
    static let conversionWindow: TimeInterval = 7 * 24 * 60 * 60
    /// Seconds in which the second callback of one tap comes. iOS repeats a local notification after a minute at the
    /// earliest, and a response to it then has the same key.
    static let repeatWindow: TimeInterval = 30

    private struct Latest: Codable, Sendable {
        let id: String
        let at: Date
    }

    private var keys: [String] = []
    /// The message that was opened.
    private var opening: Latest?
    /// The key of the response to a local notification.
    private var local: Latest?

    /// Nothing has been handled.
    init() {}

    /// Returns false if the same response was handled already.
    mutating func handle(_ response: ResponseEvent, at date: Date) -> Bool {
        if response.event?.notification != nil {
            if let local, local.id == response.key, abs(date.timeIntervalSince(local.at)) < Self.repeatWindow {
                return false
            }
            local = Latest(id: response.key, at: date)
            return true
        }
        guard !keys.contains(response.key) else { return false }
        keys.append(response.key)
        if keys.count > Self.maximumKeys { keys.removeFirst() }
        if let event = response.event, event.kind != .dismissed, let id = event.messageID {
            opening = Latest(id: id, at: date)
        }
        return true
    }

    /// The message that a conversion at this time belongs to; nil if none was opened shortly before.
    func convertedMessage(at date: Date) -> String? {
        guard let opening, (0...Self.conversionWindow).contains(date.timeIntervalSince(opening.at)) else { return nil }
        return opening.id
    }
}
