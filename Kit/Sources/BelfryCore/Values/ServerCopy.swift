import Foundation

/// The app's copy of something that it fetches again and again: the newest value, and the tag by which the server says
/// that nothing has changed. It is stored as a file.
///
/// An answer that is missing or unreadable leaves the value unchanged, so an app that is offline keeps working.
struct ServerCopy<Value: Codable & Sendable>: Codable, Sendable {
    /// The newest value that could be read; nil before the first.
    private(set) var value: Value?
    /// For `If-None-Match`. RFC 9110 §13.1.2
    private(set) var tag: String?

    /// `status` is 200 or 304; what else may come is `RetryPolicy`'s. Throws if this version of the kit can't read the
    /// answer.
    mutating func received(status: Int, tag: String?, body: Data) throws {
        guard status == 200 else { return }
        value = try JSONDecoder().decode(Value.self, from: body)
        self.tag = tag
    }

    /// The next request asks for everything: the language has changed, for example.
    mutating func forgetTag() { tag = nil }
}
