import EventLoop

/// The streamed response that is being sent.
struct StreamProgress {
    /// Resumed when the client has left.
    var untilClientLeaves = WaitingTasks()
    var hasClientLeft = false
    /// The bytes still to be written of a body with a declared length.
    var remainingBytes = 0
    var isOfEvents = false

    mutating func clientLeft() {
        hasClientLeft = true
        untilClientLeaves.resumeAll()
    }
}
