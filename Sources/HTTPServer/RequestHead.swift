import HTTPTypes

/// The head of a request, with its framing.
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
    /// HTTP/1.0 supports neither chunks nor persistent connections.
    var isVersion10 = false
    var expectsContinue = false
    var wantsClose = false
    var labels = RequestLabels()
}
