import JSON

extension PushRules {
    /// Problems of the headers that do not depend on the content.
    func headerProblems() -> [Problem] {
        pushTypeProblems() + priorityProblems() + expirationProblems() + collapseIDProblems()
    }

    private func pushTypeProblems() -> [Problem] {
        let path = "apns-push-type"
        if destination == .channel, pushType != .liveactivity {
            return [
                .error(
                    path, "not-for-channels",
                    "must be liveactivity in a push to a channel, not \(pushType.rawValue): channels allow no other")
            ]
        }
        switch pushType {
        case .voip:
            return [
                .warning(
                    path, "not-for-audiences",
                    "is for calls: iOS terminates an app that does not report a call for each such push. "
                        + "Send news to many people as alert pushes")
            ]
        case .pushtotalk:
            return [
                .warning(
                    path, "not-for-audiences",
                    "is for a person's push-to-talk channel: iOS expects the app to report the speaker. "
                        + "Send news to many people as alert pushes")
            ]
        case .alert, .background, .location, .complication, .fileprovider, .mdm, .liveactivity, .widgets, .controls:
            return []
        }
    }

    private func priorityProblems() -> [Problem] {
        let path = "apns-priority"
        var problems: [Problem] = []
        if let priority, !allowedPriorities.contains(priority) {
            if pushType == .background {
                problems.append(
                    .error(
                        path, "background-priority", "must be 5 for a background push, not \(priority.rawValue)"))
            } else {
                let allowed = allowedPriorities.map { "\($0.rawValue)" }.alternatives
                problems.append(
                    .warning(
                        path, "undocumented-priority",
                        "must be \(allowed) in \(pushType.rawValue) pushes by Apple's rules, not \(priority.rawValue)"))
            }
        }
        if pushType == .liveactivity, priority ?? pushType.defaultPriority == .immediate {
            problems.append(
                .note(
                    path, "counts-toward-budget",
                    "is 10, which counts toward the device's budget for Live Activities: beyond it updates are late. "
                        + "Priority 5 does not count"))
        }
        return problems
    }

    private var allowedPriorities: [Priority] {
        switch destination {
        case .device: pushType.allowedPriorities
        case .channel: Priority.allCases
        }
    }

    private func expirationProblems() -> [Problem] {
        let path = "apns-expiration"
        guard let expiration else {
            guard destination == .channel else { return [] }
            return [
                .error(
                    path, "missing", "is required in a push to a channel; 0 if the channel does not store messages")
            ]
        }
        guard expiration < 0 || expiration >= Self.maximumExpiration else { return [] }
        let hint: Message = expiration < 0 ? "" : ", which looks like milliseconds"
        return [
            .error(
                path, "out-of-range",
                "must be a time in seconds since 1970, or 0 for a single attempt, not \(expiration)\(hint)")
        ]
    }

    private func collapseIDProblems() -> [Problem] {
        guard let collapseID else { return [] }
        do throws(InvalidValue) {
            _ = try CollapseID(collapseID)
            return []
        } catch {
            return [error.problem(at: "apns-collapse-id")]
        }
    }
}
