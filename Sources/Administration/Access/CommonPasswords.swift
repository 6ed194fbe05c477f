/// Passwords that attackers try first. A flat list would miss most of them: "P@ssw0rd2026!" is the word "password" with
/// the usual changes. So the usual changes are undone, and what is left is compared with the words of the lists of
/// leaked passwords.
enum CommonPasswords {
    static func contains(_ password: String) -> Bool {
        let lower = password.lowercased()
        if lower.allSatisfy(\.isNumber) || isRepetition(lower) || isSequence(lower) { return true }
        return candidates(lower).contains { isMadeOfFewWords($0) }
    }

    /// The password without the digits and signs around it, as it is and with letters in place of look-alikes.
    private static func candidates(_ lower: String) -> [Substring] {
        let core = trimmed(lower)
        let spelled = [core, lower[...]].map { String($0.map { substitutes[$0] ?? $0 }) }
        return ([String(core)] + spelled).map { Substring($0.filter(\.isLetter)) }
    }

    private static func trimmed(_ text: String) -> Substring {
        let start = text.drop { !$0.isLetter }
        guard let end = start.lastIndex(where: \.isLetter) else { return "" }
        return start[...end]
    }

    /// Whether the text is one or two common words and nothing else: "welcomeadmin". More words are a passphrase.
    private static func isMadeOfFewWords(_ text: Substring) -> Bool {
        if words.contains(String(text)) { return true }
        return text.indices.dropFirst().contains {
            words.contains(String(text[..<$0])) && words.contains(String(text[$0...]))
        }
    }

    /// "aaaaaaaaaa", "abcabcabcabc", "1212121212".
    private static func isRepetition(_ text: String) -> Bool {
        let characters = Array(text)
        for period in 1...4 where characters.count > period {
            if (period..<characters.count).allSatisfy({ characters[$0] == characters[$0 - period] }) { return true }
        }
        return false
    }

    /// "1234567890", "qwertyuiop", "zyxwvutsrq".
    private static func isSequence(_ text: String) -> Bool {
        rows.contains { row in
            let doubled = row + row
            return doubled.contains(text) || String(doubled.reversed()).contains(text)
        }
    }

    private static let rows = [
        "01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop[]", "qwertyuiopasdfghjklzxcvbnm",
        "qwertzuiopasdfghjklyxcvbnm",
        "azertyuiopqsdfghjklmwxcvbn", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "q1w2e3r4t5y6u7i8o9p0",
        "1q2w3e4r5t6y7u8i9o0p",
        "1234qwerasdfzxcv", "!@#$%^&*()",
    ]

    private static let substitutes: [Character: Character] = [
        "@": "a", "4": "a", "8": "b", "(": "c", "3": "e", "6": "g", "1": "i", "!": "i", "|": "l", "0": "o", "$": "s",
        "5": "s", "7": "t", "+": "t", "2": "z",
    ]

    /// Words of the lists of leaked passwords, without their digits and signs.
    private static let words: Set<String> = Set(
        """
        password passwort passord pass passwd passw parola contrasena senha motdepasse wachtwoord heslo haslo salasana
        qwerty qwertz azerty qwertyuiop qwert qazwsx asdf asdfgh asdfghjkl zxcvbn zxcvbnm abc abcd abcdef abcdefg
        abcdefgh letmein welcome willkommen bienvenue bonjour hello hallo hola login logon signin admin administrator
        root user guest test tester testing demo default changeme change secret secure security master access
        system server service support manager office company temp temporary new old my your the
        dragon monkey football soccer baseball basketball hockey golf tennis superman batman spiderman pokemon starwars
        matrix ninja shadow hunter killer ranger warrior knight king queen prince princess angel devil
        sunshine moonlight summer winter spring autumn fall january february march april may june july august
        september october november december monday tuesday wednesday thursday friday saturday sunday
        iloveyou ilove love you loveyou lovely lover forever always babygirl baby girl boy honey sweet sweetheart
        darling kiss flower rose butterfly rainbow cookie chocolate cheese banana orange apple cherry
        peaches pepper ginger coffee charlie michael jordan jessica jennifer ashley amanda andrew anthony
        daniel david robert thomas matthew joshua nicole michelle hannah george maggie buster bailey
        tigger harley mustang ferrari porsche mercedes toyota corvette yamaha samsung iphone apple google facebook
        internet computer windows microsoft linux ubuntu oracle cisco network wireless router linkedin twitter youtube
        liverpool arsenal chelsea barcelona madrid juventus dortmund bayern yankees cowboys steelers eagles lakers
        london paris berlin america england canada germany france russia china india brazil mexico spain italy
        trustno one two three four five six seven eight nine ten zero hundred thousand million
        freedom liberty family friends friend mother father sister brother money dollar business
        success winner lucky magic mystery nothing whatever anything everything something please
        fuckyou fuck asshole bitch shit sex sexy pussy porn naughty
        blue red green black white silver golden gold purple yellow pink
        tiger lion eagle wolf bear snake dolphin horse dog cat kitty puppy chicken turkey
        star stars moon sun sky heaven earth ocean river mountain thunder lightning storm
        music guitar piano dance rock metal jazz blues elvis beatles
        jesus christ god church faith hope peace grace blessed
        happy smile funny cool awesome great good best super mega ultra
        marketing campaign push notification newsletter customer sales team
        belfry bell tower
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
