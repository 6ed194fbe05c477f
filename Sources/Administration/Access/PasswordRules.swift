public import JSON

/// The requirements for a new password: it must be long, and not among the first that an attacker tries (NIST SP
/// 800-63B §5.1.1.2). There are no rules about kinds of characters, which lead to "Password1!".
public enum PasswordRules {
    /// Characters.
    public static let minimumLength = 10
    public static let maximumLength = 200

    /// Nil if the password is good enough for this person; otherwise the problem, as the end of a sentence that begins
    /// with the member's name.
    public static func problem(of password: String, for email: EmailAddress) -> InvalidValue? {
        guard password.count >= minimumLength else {
            return InvalidValue("too-short", "must have at least \(minimumLength) characters; several words are good")
        }
        guard password.count <= maximumLength else {
            return InvalidValue("too-long", "must have at most \(maximumLength) characters")
        }
        guard !CommonPasswords.contains(password), !isGuessable(password.lowercased(), from: email) else {
            return InvalidValue(
                "too-common", "is one of the first that an attacker tries; choose several words that only you connect")
        }
        return nil
    }

    /// Whether little is left without the person's own address, its parts, and the product's name.
    private static func isGuessable(_ password: String, from email: EmailAddress) -> Bool {
        let parts = email.text.split(separator: "@").map(String.init)
        let company = parts.last?.split(separator: ".").dropLast().map(String.init) ?? []
        var rest = password
        for word in [email.text] + parts + company + ["belfry"] where word.count >= 4 {
            rest = rest.replacing(word, with: "")
        }
        return rest.count < password.count && rest.filter(\.isLetter).count < 4
    }
}
