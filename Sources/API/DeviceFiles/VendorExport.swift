import JSON

/// An export of another vendor, recognised by the columns of its header.
///
/// Only columns that the vendor documents are named here. The others are left out, and the report lists them.
struct VendorExport: Equatable, Sendable {
    let name: String
    /// All of these columns are in the file.
    private let marks: Set<String>
    /// One of these is, too, if there are any.
    private let otherMarks: Set<String>
    /// What the columns are for Belfry, by their names in the file, without case and separators.
    private let columns: [String: String]
    /// Why the file can't be imported; nil if it can.
    let refusal: Message?

    private init(
        _ name: String, marks: Set<String>, or otherMarks: Set<String> = [], columns: [String: String] = [:],
        refusal: Message? = nil
    ) {
        self.name = name
        self.marks = Set(marks.map(DeviceColumn.fold))
        self.otherMarks = Set(otherMarks.map(DeviceColumn.fold))
        self.columns = Dictionary(columns.map { (DeviceColumn.fold($0), $1) }) { first, _ in first }
        self.refusal = refusal
    }

    static func recognise(_ header: [String]) -> VendorExport? {
        let names = Set(header.map(DeviceColumn.fold))
        return all.first {
            $0.marks.isSubset(of: names) && ($0.otherMarks.isEmpty || !$0.otherMarks.isDisjoint(with: names))
        }
    }

    /// Nil for a column that is left out.
    func column(_ name: String) -> DeviceColumn? { columns[DeviceColumn.fold(name)].flatMap { DeviceColumn($0) } }

    static let all = [oneSignal, airship, braze, brazeIdentifiers]

    /// documentation.onesignal.com/reference/csv-export: "Default fields" and "Extra fields". `tags` are pairs of names and
    /// values, so they are attributes.
    private static let oneSignal = VendorExport(
        "OneSignal", marks: ["identifier", "device_type"],
        or: [
            "session_count", "external_user_id", "notification_types", "invalid_identifier", "game_version",
            "last_active",
        ],
        columns: [
            "id": "installation", "identifier": "token", "device_type": "onesignal_device_type",
            "external_user_id": "user_id", "language": "locale", "timezone_id": "time_zone", "timezone": "utc_offset",
            "game_version": "app_version", "device_os": "os_version", "device_model": "model", "tags": "attributes",
            "notification_types": "onesignal_notification_types",
            "invalid_identifier": "onesignal_invalid_identifier",
        ])

    /// docs.airship.com/developer/rest-api/ua/schemas/channels, "Channel listing object", as a table.
    private static let airship = VendorExport(
        "Airship", marks: ["channel_id", "push_address"],
        columns: [
            "channel_id": "installation", "push_address": "token", "device_type": "platform",
            "named_user_id": "user_id", "named_user": "user_id", "opt_in": "subscribed", "tags": "tags",
            "attributes": "attributes",
        ])

    /// braze.com/docs, "Export segment data to CSV": user profiles with counts of push tokens, not the tokens.
    private static let braze = VendorExport("Braze", marks: ["braze id"], refusal: noTokens)
    private static let brazeIdentifiers = VendorExport("Braze", marks: ["number_of_push_tokens"], refusal: noTokens)

    private static let noTokens: Message =
        "is an export of Braze, whose CSV files have no push tokens; export push_tokens with /users/export/segment and "
        + "convert it as Docs/moving.md shows"
}
