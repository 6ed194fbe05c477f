import JSON

extension PushRules {
    /// Problems of the keys outside `aps` in pushes whose format Apple defines.
    func bodyProblems(_ payload: Payload) -> [Problem] {
        switch pushType {
        case .mdm: mdmProblems(payload)
        case .fileprovider: fileProviderProblems(payload)
        case .alert, .background, .location, .voip, .complication, .liveactivity, .pushtotalk, .widgets, .controls: []
        }
    }

    private func mdmProblems(_ payload: Payload) -> [Problem] {
        var problems = text("mdm", in: payload, absent: .error, "the device's PushMagic")
        if payload.aps != nil {
            problems.append(
                .warning(Payload.Key.aps.rawValue, "no-effect", "has no effect in an mdm push, which has only mdm"))
        }
        return problems
    }

    private func fileProviderProblems(_ payload: Payload) -> [Problem] {
        text("container-identifier", in: payload, absent: .warning, "the container that has changed")
            + text("domain", in: payload, absent: nil, "the domain of the container")
    }

    private func text(
        _ key: String, in payload: Payload, absent: Problem.Severity?, _ meaning: Message
    ) -> [Problem] {
        switch payload.custom.first(where: { $0.key == key })?.value {
        case .string: []
        case .some(let value): [.error(key, "wrong-type", "must be text, \(meaning), not \(value.summary)")]
        case nil:
            absent.map {
                [Problem(path: key, code: "missing", message: "is required: \(meaning)", severity: $0)]
            } ?? []
        }
    }
}
