import Campaigns
public import JSON

/// Why an error stops a campaign or a change, as people read it: texts that were written for them, and never those of
/// the database or of a decoder, which are for the log.
public func reasonForPeople(_ error: any Error) -> Message {
    switch error {
    case let error as Problems: error.message
    case let error as Refusal: error.message
    case let error as JSON.SyntaxError: error.located
    case is RunContents.MediaGone: RunContents.MediaGone.message
    default:
        "an unexpected error occurred, which the log of the process that sends describes. Try again; if it comes "
            + "back, ask the operator of this server."
    }
}
