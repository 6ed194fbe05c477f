import Foundation

/// The app's copy of something that it fetches again and again: the newest value, and the tag by which the server says
/// that nothing has changed. It is stored as a file.
///
/// An answer that is missing or unreadable leaves the value unchanged, so an app that is offline keeps working.
struct ServerCopy<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
    /// The newest value that could be read; nil before the first.
    private(set) var value: Value?
    /// For `If-None-Match`. RFC 9110 §13.1.2
    private(set) var tag: String?

    /// Nothing has been fetched.
    init() {}

    /// The effect of an answer on the copy.
    enum Outcome: Equatable, Sendable {
        /// The copy is the newest.
        case unchanged
        /// The copy is replaced by this value.
        case changed(Value)
        /// For developers: the answer is not what this version of the kit can read.
        case unreadable(String)
    }

    /// `status` is 200 or 304; what else may come is `RetryPolicy`'s.
    mutating func received(status: Int, tag: String?, body: Data) -> Outcome {
        guard status == 200 else { return .unchanged }
        do {
            let newest = try JSONDecoder().decode(Value.self, from: body)
            self.tag = tag
            guard newest != value else { return .unchanged }
            value = newest
            return .changed(newest)
        } catch {
            return .unreadable("\(error)")
        }
    }

    /// The next request asks for everything: the language has changed, for example.
    mutating func forgetTag() { tag = nil }
}
