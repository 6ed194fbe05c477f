import Campaigns
import JSON

/// Why an error stops a campaign or a change, as people read it: texts that were written for them, and never those of
/// the database or of a decoder, which are for the log.
public func reasonForPeople(_ error: any Error) -> String {
    switch error {
    case is Problems, is Refusal, is JSON.SyntaxError, is RunContents.MediaGone: "\(error)"
    default:
        "an unexpected error occurred, which the log of the process that sends describes. Try again; if it comes "
            + "back, ask the operator of this server."
    }
}
