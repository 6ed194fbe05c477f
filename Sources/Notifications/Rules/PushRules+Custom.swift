import JSON

extension PushRules {
    /// The app's own keys, against Apple's and the message id's.
    func customProblems(_ payload: Payload) -> [Problem] {
        payload.custom.compactMap(customProblem) + messageIDKeyProblems()
    }

    private func customProblem(_ member: JSON.Member) -> Problem? {
        let path = ProblemPath.member(member.key, of: "")
        let aps = Payload.Key.aps.rawValue
        switch member.key {
        case aps:
            return .error(
                path, "custom-key-aps",
                "must not be a custom key: it is Apple's dictionary, which the payload has already")
        case messageIDKey:
            return .error(
                path, "message-id-key-taken",
                "must not be a custom key: the message id goes under it. "
                    + "Rename the key here, or choose another for the message id in the app's settings")
        default: break
        }
        if let key = APS.Key(rawValue: member.key) {
            let isOwnWord = Self.everydayWords.contains(key) && pushType != .liveactivity
            return Problem(
                path: path, code: "apple-key-outside-aps",
                message: isOwnWord
                    ? "is the name of a key that Apple reads inside aps, in Live Activities; here it is the app's own"
                    : "must not stand beside aps: Apple reads it only inside aps, as \(key.path)",
                severity: isOwnWord ? .warning : .error)
        }
        guard member.key.lowercased() == aps else { return nil }
        return .warning(path, "misspelt-key", "is taken for the app's own key; Apple's is \(aps), in small letters")
    }

    /// Names of Apple's for Live Activities that apps have long used beside `aps` for their own ends.
    private static let everydayWords: [APS.Key] = [.event, .timestamp, .attributes]

    private func messageIDKeyProblems() -> [Problem] {
        guard let messageIDKey, messageIDKey.isEmpty || messageIDKey == Payload.Key.aps.rawValue else { return [] }
        return [
            .error(
                messageIDKey, "bad-message-id-key",
                "the message id needs a key of its own in the payload, like i; neither aps nor nothing")
        ]
    }
}
