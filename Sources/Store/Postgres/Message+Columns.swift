import JSON
import Postgres

/// A message is stored twice: in English in `reason`, which analysts read, and in `reason_localization`, so that pages
/// can say it in their reader's language.
extension Message {
    /// The assignments of an `UPDATE`; nil clears both columns.
    static func assignments(_ reason: Message?) -> PostgresQuery {
        "reason = \(reason?.description), reason_localization = \(reason?.stored)"
    }

    /// The value of `reason_localization`.
    var stored: JSONText { JSONText(localization.encoded()) }
}

extension PostgresRow {
    /// The message in the columns `reason` and `reason_localization`. A text that was changed by hand counts as it is.
    func reason() throws -> Message? {
        guard let text: String = try self["reason"] else { return nil }
        let stored: JSONText? = try self["reason_localization"]
        let message = try stored.flatMap { Message(localization: try JSON(parsing: $0.bytes)) }
        return message?.description == text ? message : Message(verbatim: text)
    }
}
