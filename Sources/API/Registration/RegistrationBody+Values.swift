import Campaigns
import JSON
import Notifications
import Store

extension RegistrationBody {
    static func problem(withTag tag: String) -> InvalidValue? {
        let count = tag.utf8.count
        guard 1...maximumTagLength ~= count else {
            return InvalidValue(
                count == 0 ? "empty" : "too-long", "must be 1 to \(maximumTagLength) bytes, not \(count)")
        }
        return NameText.problem(tag)
    }

    /// Why a text is no user ID; nil if it is one.
    static func problem(withUserID text: String) -> InvalidValue? {
        guard 1...maximumUserIDLength ~= text.utf8.count else {
            return InvalidValue("invalid-user-id", "must be 1 to \(maximumUserIDLength) bytes")
        }
        return NameText.problem(inPath: text)
    }

    static func problem(withOptOut key: String) -> InvalidValue? {
        do throws(InvalidValue) {
            _ = try OptOut(key)
            return nil
        } catch {
            return error
        }
    }

    /// What the installation or the person opts out of.
    private var optOuts: [String] { changes.profile.optOuts.given + (person?.optOuts.given ?? []) }

    var optOutTopics: [String] { optOuts.filter { $0 != OptOut.allKey } }

    var isOptedOutOfAll: Bool { optOuts.contains(OptOut.allKey) }

    static func unknownTopicWarning(_ key: String) -> Problem {
        let message: Message =
            key == "all"
            ? "contains all, which is not a topic of the app yet; it is stored anyway, but the opt-out from all campaigns is *"
            : "contains \(key), which is not a topic of the app yet; it is stored anyway"
        return Problem(path: "opt_outs", code: "unknown-topic", message: message, severity: .warning)
    }

    /// Adds warnings about opt-outs from unknown topics. They are stored anyway, so that no opt-out is lost if the app
    /// is released before the topic is added.
    mutating func warn(ofUnknownTopics unknown: Set<String>) {
        guard !unknown.isEmpty else { return }
        warnings += optOutTopics.filter(unknown.contains).map(Self.unknownTopicWarning)
    }
}
