/// The events that a session reports to its owner. All calls are made on the session's loop, from inside `receive` or
/// `flush`. The owner may submit from them, and the session flushes afterwards.
///
/// `tag` is the number that the owner gave the stream. Buffers are valid during the call only.
public protocol HTTP2Events: AnyObject {
    /// SETTINGS of the peer were received, for the first time or again.
    func settingsChanged()
    /// A request started on a server. Returns the tag for its stream.
    func requestBegan(stream: Int32) -> Int
    func header(stream: Int32, tag: Int, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)
    func data(stream: Int32, tag: Int, bytes: UnsafeRawBufferPointer)
    /// The peer has sent its complete request or response.
    func messageEnded(stream: Int32, tag: Int)
    /// The stream was closed: after `messageEnded` with `.noError`, otherwise with the error code.
    func streamClosed(stream: Int32, tag: Int, code: HTTP2Code)
    /// A submitted request was never sent.
    func requestNotSent(stream: Int32)
    /// Fills `buffer` with the next bytes of the body; `isEnd` marks the end of the body.
    func body(stream: Int32, tag: Int, into buffer: UnsafeMutableRawBufferPointer) -> (count: Int, isEnd: Bool)
    func goAway(lastStream: Int32, code: HTTP2Code, debugData: UnsafeRawBufferPointer)
    func pingAnswered()
    /// The owner may submit more: input was received, or blocked output was written. Submissions are flushed directly
    /// afterwards.
    func maySubmit()
    /// The session has ended and closed its transport. This is the last call.
    func ended(_ error: HTTP2Error)
}
