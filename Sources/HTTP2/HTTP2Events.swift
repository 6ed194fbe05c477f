/// What a session tells its owner. All calls come on the session's loop, from inside `receive` or
/// `flush`; an owner may submit from them, and the session flushes afterwards.
///
/// `tag` is the number that the owner gave the stream. Buffers are valid during the call only.
public protocol HTTP2Events: AnyObject {
    /// The peer's SETTINGS came, for the first time or again.
    func settingsChanged()
    /// A server's owner names the tag of a new request's stream.
    func requestBegan(stream: Int32) -> Int
    func header(stream: Int32, tag: Int, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
    func data(stream: Int32, tag: Int, bytes: UnsafeRawBufferPointer)
    /// The peer has sent all of its request or answer.
    func messageEnded(stream: Int32, tag: Int)
    /// The stream is gone. After `messageEnded` with `.noError`, else with what went wrong.
    func streamClosed(stream: Int32, tag: Int, code: HTTP2Code)
    /// A submitted request never went on the wire.
    func requestNotSent(stream: Int32)
    /// Fills `buffer` with the next bytes of the body; `isEnd` says that nothing follows them.
    func body(stream: Int32, tag: Int, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isEnd: Bool)
    func goAway(lastStream: Int32, code: HTTP2Code, debugData: UnsafeRawBufferPointer)
    func pingAnswered()
    /// The moment to submit more: a burst was received, or output that the peer had kept waiting
    /// has gone out. What is submitted is flushed right afterwards.
    func maySubmit()
    /// Nothing follows this call. The session has closed its transport.
    func ended(_ error: HTTP2Error)
}
