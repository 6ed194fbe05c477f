extension PushRules {
    /// The app's own keys, against Apple's and the message id's.
    func customProblems(_ payload: Payload) -> [Problem] {
        payload.custom.compactMap(customProblem) + messageIDKeyProblems()
    }

    private func customProblem(_ member: JSON.Member) -> Problem? {
        switch member.key {
        case Payload.Key.aps.rawValue:
            Problem(
                path: member.key, code: "custom-key-aps",
                message: "must not be a custom key: it is Apple's dictionary, which the payload has already")
        case messageIDKey:
            Problem(
                path: member.key, code: "message-id-key-taken",
                message: "must not be a custom key: the message id goes under it. "
                    + "Rename the key here, or choose another for the message id in the app's settings")
        case let key where APS.Key(rawValue: key) != nil:
            .warning(key, "apple-key-outside-aps", "stands beside aps, but Apple reads this only inside aps")
        default: nil
        }
    }

    private func messageIDKeyProblems() -> [Problem] {
        guard let messageIDKey, messageIDKey.isEmpty || messageIDKey == Payload.Key.aps.rawValue else { return [] }
        return [
            Problem(
                path: messageIDKey, code: "bad-message-id-key",
                message: "the message id needs a key of its own in the payload, like i; neither aps nor nothing")
        ]
    }
}

extension Problem {
    static func warning(_ path: String, _ code: String, _ message: String) -> Problem {
        Problem(path: path, code: code, message: message, severity: .warning)
    }
}
