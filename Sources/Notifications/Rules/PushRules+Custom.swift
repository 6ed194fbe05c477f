import JSON

extension PushRules {
    /// Conflicts of the app's own keys with Apple's and with the key of the message id.
    func customProblems(_ payload: Payload) -> [Problem] {
        payload.custom.compactMap(customProblem) + buttonProblems(payload) + messageIDKeyProblems()
    }

    private func customProblem(_ member: JSON.Member) -> Problem? {
        let path = ProblemPath.member(member.key, of: "")
        let aps = Payload.Key.aps.rawValue
        switch member.key {
        case aps:
            return .error(
                path, "custom-key-aps",
                "must not be a custom key: it is Apple's dictionary, which the payload already has")
        case messageIDKey:
            return .error(
                path, "message-id-key-in-use",
                "must not be a custom key: it is the key of the message id. "
                    + "Rename it here, or set another key for the message id in the app's settings")
        default: break
        }
        if let key = APS.Key(rawValue: member.key) {
            let isOwnWord = Self.ambiguousKeys.contains(key) && pushType != .liveactivity
            return Problem(
                path: path, code: "apple-key-outside-aps",
                message: isOwnWord
                    ? "is also Apple's name of a key inside aps in Live Activities; here it is a custom key"
                    : "must be inside aps, as \(key.path): Apple ignores it elsewhere",
                severity: isOwnWord ? .warning : .error)
        }
        guard member.key.lowercased() == aps else { return nil }
        return .warning(path, "misspelled-key", "is treated as a custom key; Apple's key is \(aps), in lower case")
    }

    /// Apple's keys for Live Activities that many apps also use as custom keys.
    private static let ambiguousKeys: [APS.Key] = [.event, .timestamp, .attributes]

    private func messageIDKeyProblems() -> [Problem] {
        guard let messageIDKey, messageIDKey.isEmpty || messageIDKey == Payload.Key.aps.rawValue else { return [] }
        return [
            .error(
                messageIDKey, "bad-message-id-key",
                "the key of the message id must not be empty or aps; use a key like i")
        ]
    }
}
