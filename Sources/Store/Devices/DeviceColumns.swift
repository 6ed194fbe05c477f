import Campaigns
import Notifications
import Postgres

/// A device that a registration writes. A class, because each column goes through all of them: copies of a value with so
/// many members would cost more than the rest.
final class WrittenDevice: Sendable {
    let entry: RegistrationGroup.Entry
    let changes: DeviceChanges
    /// 0: it is new.
    let id: Int64
    let times: DeviceActivity.Times

    init(_ entry: RegistrationGroup.Entry, id: Int64 = 0) {
        self.entry = entry
        self.id = id
        changes = entry.effective
        times = DeviceActivity.Times(
            sentAt: entry.newSentAt, userSentAt: entry.newUserSentAt, optOuts: entry.newOptOutOrder)
    }
}

/// What registrations write of devices: the values that a statement gets (a row `g`), and the columns that it writes.
enum DeviceColumns {
    /// The bits of the column `given`: one for each text that the request contains, since null can mean "clear" or
    /// "leave".
    private enum Given {
        static func text(_ text: DeviceText) -> Int32 { 1 << Int32(text.rawValue) }
        static let nickname: Int32 = 64
        /// An app or a server registers the device.
        static let isRegisteredByApp: Int32 = 128
    }

    private static let address: [PassedColumn<WrittenDevice>] = [
        PassedColumn("app_id") { $0.entry.key.app },
        PassedColumn("installation") { $0.entry.key.address.installation },
        PassedColumn("kind") { $0.entry.key.address.kind.rawValue },
        PassedColumn("activity") { $0.entry.key.address.activity },
    ]

    private static let passed: [PassedColumn<WrittenDevice>] =
        address + [
            PassedColumn("id") { $0.id },
            PassedColumn("token") { $0.changes.token?.bytes },
            PassedColumn("has_lost_token") { $0.entry.hasLostToken },
            PassedColumn("environment") { $0.changes.environment?.rawValue },
            PassedColumn("authorization_status") { $0.changes.authorization?.rawValue },
            PassedColumn("given", given),
            PassedColumn("settings") { $0.changes.settings.map { JSONText($0) } },
            PassedColumn("is_test") { $0.changes.isTest },
            PassedColumn("nickname") { $0.changes.nickname.value },
            PassedColumn("imported_as_of") { $0.entry.importedAsOf },
        ]
        + DeviceText.allCases.map { text in PassedColumn(text.column) { $0.changes[text].value } }
        + ProfileColumns.passed { $0.changes.profile }

    static func table(_ devices: [WrittenDevice]) -> PostgresQuery { PassedColumn.table(passed, of: devices) }

    /// When the devices' apps sent what they stated, by their addresses.
    static func times(of devices: [WrittenDevice]) -> PostgresQuery {
        PassedColumn.table(address + DeviceActivity.Times.passed { $0.times }, of: devices)
    }

    private static func given(_ device: WrittenDevice) -> Int32 {
        var given = device.changes.nickname.isGiven ? Given.nickname : 0
        if device.entry.isRegisteredByApp { given |= Given.isRegisteredByApp }
        for text in DeviceText.allCases where device.changes[text].isGiven { given |= Given.text(text) }
        return given
    }

    // MARK: The columns that are written

    /// The values of new devices, from `g`, the installation's own `o` and the person `p`.
    static let new = WrittenColumns(
        [
            ("token", "CASE WHEN NOT g.has_lost_token THEN g.token END"),
            ("retired_at", "CASE WHEN g.has_lost_token THEN now() END"),
            ("retired_reason", "CASE WHEN g.has_lost_token THEN \(RetiredReason.tokenMoved) END"),
            ("environment", "g.environment"),
            ("authorization_status", "coalesce(g.authorization_status, \(AuthorizationStatus.standard))"),
            ("settings", "coalesce(g.settings, '{}')"),
            ("is_test", "coalesce(g.is_test, false)"),
            ("nickname", "g.nickname"),
            ("imported_as_of", "g.imported_as_of"),
        ]
            + DeviceText.allCases.map { ($0.column, PostgresQuery(unescaped: "g.\($0.column)")) }
            + ProfileColumns.written)

    /// The values of devices that exist, from the same, the stored row `d` and `u`: its user and what it inherits.
    static let changed = WrittenColumns(
        [
            ("token", "CASE WHEN NOT g.has_lost_token THEN coalesce(g.token, d.token) END"),
            (
                "retired_at",
                """
                CASE
                    WHEN g.has_lost_token THEN coalesce(d.retired_at, now())
                    WHEN g.token IS NULL THEN d.retired_at
                END
                """
            ),
            (
                "retired_reason",
                """
                CASE
                    WHEN g.has_lost_token THEN coalesce(d.retired_reason, \(RetiredReason.tokenMoved))
                    WHEN g.token IS NULL THEN d.retired_reason
                END
                """
            ),
            ("environment", "coalesce(g.environment, d.environment)"),
            ("authorization_status", "coalesce(g.authorization_status, d.authorization_status)"),
            ("settings", "coalesce(g.settings, d.settings)"),
            ("is_test", "coalesce(g.is_test, d.is_test)"),
            ("nickname", given(Given.nickname, "nickname")),
            (
                "imported_as_of",
                """
                CASE
                    WHEN d.imported_as_of IS NOT NULL AND NOT \(isRegisteredByApp)
                        THEN greatest(d.imported_as_of, g.imported_as_of)
                END
                """
            ),
            ("inherited_attributes", ProfileColumns.inheritedAttributes(after: "u.inherited")),
        ]
            + DeviceText.allCases.map { ($0.column, text($0)) }
            + ProfileColumns.written)

    /// The text after the change.
    static func text(_ text: DeviceText) -> PostgresQuery { given(Given.text(text), text.column) }

    static let isRegisteredByApp = has(Given.isRegisteredByApp)

    private static func given(_ bit: Int32, _ column: String) -> PostgresQuery {
        "CASE WHEN \(has(bit)) THEN g.\(unescaped: column) ELSE d.\(unescaped: column) END"
    }

    private static func has(_ bit: Int32) -> PostgresQuery { "(g.given & \(unescaped: String(bit)) <> 0)" }
}

extension DeviceText {
    /// Its column of `devices`.
    fileprivate var column: String { String(name.dropFirst()) }
}
