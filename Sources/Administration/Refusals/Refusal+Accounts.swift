public import Campaigns
import JSON

/// People who sign in.
extension Refusal {
    public static let emailTaken = Refusal(
        .conflict, "email-taken", field: "email", "Somebody with this e-mail address was already added.")

    public static let lastAdmin = Refusal(
        .conflict, "last-admin",
        "This person is the last admin of all apps who can sign in. Make somebody else an admin first.")

    public static let personIsDisabled = Refusal(
        .conflict, "person-is-disabled",
        "This person is disabled and can't sign in. Enable the person first, then make the link.")

    public static let setUpIsDone = Refusal(
        .conflict, "set-up-is-done",
        "The first admin exists already. Sign in, or ask an admin to add you.")

    public static let signInBusy = Refusal(
        .busy, "sign-in-busy", "Too many people are signing in. Try again in a few seconds.")

    public static let linkIsInvalid = Refusal(
        .notFound, "link-is-invalid",
        "This address is unknown, was already used or has expired. Ask for a new one.")
}
