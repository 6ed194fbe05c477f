import HTTPTypes

/// A request up to its body, with what the framing needs to know.
struct RequestHead: Hashable, Sendable {
    enum Framing: Hashable, Sendable {
        case none
        case length(Int)
        case chunked
    }

    /// `authority` is the Host field, which is not among the fields; `path` is as it was sent, query
    /// included.
    var request: HTTPRequest
    var framing = Framing.none
    /// HTTP/1.0 gets neither chunks nor a kept connection.
    var isVersion10 = false
    var expectsContinue = false
    var wantsClose = false
}
