/// The progress of reading the body of the request that is being answered.
struct RequestProgress {
    /// Counts the requests of the connection from 1.
    private(set) var number = 0
    var isBodyComplete = true
    /// Why the rest of the body can't be read.
    var failure: HTTPError?
    var isBeingRead = false
    /// The client waits for "100 Continue" before it sends the body.
    var mustSendContinue = false
    var budget = BodyReadBudget(deadline: .zero, progressDeadline: .zero, progressBytes: 0)

    /// A request whose body, if it has one, has not been read.
    mutating func begin(_ head: RequestHead, _ configuration: ServerConfiguration) {
        number += 1
        failure = nil
        guard head.framing != .none else { return complete() }
        isBodyComplete = false
        mustSendContinue = head.expectsContinue
        budget = BodyReadBudget(
            deadline: configuration.bodyDeadline, progressDeadline: configuration.bodyProgressDeadline,
            progressBytes: configuration.bodyProgressBytes)
    }

    /// The body has been read to its end.
    mutating func complete() {
        isBodyComplete = true
        mustSendContinue = false
    }
}
