import Campaigns

extension Send {
    /// The result of one push, as it is printed.
    struct Report {
        let answer: TestPushResult
        let id: String
        /// Nil for a token.
        let device: String?
        /// The time since which the token has been invalid.
        let since: String?

        var text: String {
            var lines = [""]
            if let device { lines.append("  device    \(device)") }
            if let host = answer.host { lines.append("  host      \(host)") }
            lines.append("  apns-id   \(id)")
            if let uniqueID = answer.uniqueID {
                lines.append("  unique-id \(uniqueID)  (apns-unique-id, for Apple's delivery log)")
            }
            lines.append("  status    \(answer.status.map(String.init) ?? answer.state.rawValue)")
            if let reason = answer.reason { lines.append("  reason    \(reason)") }
            if let since { lines.append("  since     \(since)") }
            lines += ["", "  \(answer.meaning)"]
            if let remedy = answer.remedy { lines.append("  \(remedy)") }
            return lines.joined(separator: "\n") + "\n"
        }
    }
}
