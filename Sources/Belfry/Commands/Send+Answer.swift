import APNS
import Foundation

extension Send {
    /// What Apple said, for a person.
    struct Answer {
        let result: PushResult
        let reason: String
        let id: String
        /// Apple's key for the push in the console's delivery log; development only.
        let uniqueID: String?

        func words(host: String) -> String {
            var lines = ["", "  host      \(host)", "  apns-id   \(id)"]
            if let uniqueID { lines.append("  unique-id \(uniqueID)  (apns-unique-id, for Apple's delivery log)") }
            switch result.state {
            case .answered:
                lines.append("  status    \(result.status)")
                if result.status != 200 { lines.append("  reason    \(reason)") }
            case .unsent: lines.append("  status    not sent: the connection ended first")
            case .inFlight, .deadlinePassed, .streamReset, .connectionLost:
                lines.append("  status    no answer: Apple may or may not have taken it")
            }
            if result.timestamp > 0 {
                let date = Date(timeIntervalSince1970: Double(result.timestamp) / 1_000)
                lines.append("  since     \(date.formatted(.iso8601))")
            }
            lines += ["", "  \(Advice.words(for: result))", ""]
            return lines.joined(separator: "\n")
        }
    }
}
