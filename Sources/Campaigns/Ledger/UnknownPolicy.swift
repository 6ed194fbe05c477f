/// The treatment of recipients whose push may or may not have reached Apple.
public enum UnknownPolicy: String, Hashable, Sendable {
    /// Send once more. With a collapse id, the second notification replaces the first on the screen.
    case resend
    /// Do not send again: nobody gets the push twice, and the ledger lists who may not have got it.
    case leave
}
