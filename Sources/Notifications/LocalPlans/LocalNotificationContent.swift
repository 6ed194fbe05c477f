public import JSON

/// The content of a local notification (UNNotificationContent). It has the form of a push: Apple's keys in `aps`, and
/// the app's own data in `userInfo`.
public struct LocalNotificationContent: Sendable, Equatable {
    /// Only the keys that have an effect in a local notification.
    public var aps: APS
    /// The app's own members.
    public var userInfo: [JSON.Member]
    /// An attachment, which the app loads when it schedules the notification.
    public var attachmentURL: MediaURL?

    /// In bytes, of `userInfo` as JSON: the size of a push.
    public static let maximumUserInfoSize = 4_096

    public init(aps: APS = APS(), userInfo: [JSON.Member] = [], attachmentURL: MediaURL? = nil) {
        self.aps = aps
        self.userInfo = userInfo
        self.attachmentURL = attachmentURL
    }
}

extension LocalNotificationContent {
    private enum Key: String, MemberName {
        case aps
        case userInfo = "user_info"
        case attachmentURL = "attachment_url"
    }

    /// The keys for which UNNotificationContent has a property.
    private static let localKeys: Set<APS.Key> = [
        .alert, .badge, .sound, .threadID, .category, .targetContentID, .interruptionLevel, .relevanceScore,
        .filterCriteria,
    ]
    private static let localAlertKeys: Set<Alert.Key> = [
        .title, .subtitle, .body, .launchImage, .titleLocKey, .titleLocArgs, .subtitleLocKey, .subtitleLocArgs,
        .locKey, .locArgs,
    ]

    init(_ reader: inout ObjectReader) {
        reader.require(Key.aps)
        self.init()
        aps = reader.object(Key.aps) { Self.aps(&$0) } ?? APS()
        userInfo = reader.members(Key.userInfo) ?? []
        checkUserInfo(&reader)
        attachmentURL = reader.value(Key.attachmentURL) { text throws(InvalidValue) in try MediaURL(text) }
        guard reader.problems.isEmpty else { return }
        for problem in findings where problem.severity == .error {
            reader.refuse(at: problem.path, problem.code, problem.message)
        }
    }

    private static func aps(_ reader: inout ObjectReader) -> APS {
        for member in reader.rest where APS.Key(rawValue: member.key).map(localKeys.contains) != true {
            refuse(at: ProblemPath.member(member.key, of: ""), &reader)
        }
        if case .object(let members)? = reader.rest.first(where: { $0.key == APS.Key.alert.rawValue })?.value {
            for member in members where Alert.Key(rawValue: member.key).map(localAlertKeys.contains) != true {
                refuse(at: ProblemPath.member(member.key, of: APS.Key.alert.rawValue), &reader)
            }
        }
        return APS(&reader)
    }

    private static func refuse(at path: String, _ reader: inout ObjectReader) {
        reader.refuse(at: path, "not-local", "has no effect in a local notification, or is misspelled")
    }

    private func checkUserInfo(_ reader: inout ObjectReader) {
        if userInfo.contains(where: { $0.key == Key.aps.rawValue }) {
            reader.refuse(
                at: ProblemPath.member(Key.aps.rawValue, of: Key.userInfo.rawValue), "custom-key-aps",
                "must not be a custom key: it is reserved for Apple")
        }
        let size = JSON.object(userInfo).encoded().count
        if size > Self.maximumUserInfoSize {
            reader.refuse(
                Key.userInfo, "too-long", "must be at most \(Self.maximumUserInfoSize) bytes as JSON, not \(size)")
        }
    }

    public var json: JSON {
        var members: [JSON.Member] = []
        members.append(Key.aps, aps.json)
        members.append(Key.userInfo, .object(userInfo))
        members.append(Key.attachmentURL, attachmentURL.map { .string($0.text) })
        return .object(members)
    }

    /// Its members without those that are empty: what its readers get.
    var parts: JSON {
        guard case .object(let members) = json else { return json }
        return .object(members.filter { $0.value != .null && $0.value != .object([]) })
    }

    /// Findings that iOS accepts but a person should know.
    var warnings: [Problem] {
        findings.filter { $0.severity != .error }
    }

    /// The rules of an alert push apply, except for its size.
    private var findings: [Problem] {
        PushRules(pushType: .alert, messageIDKey: nil).problems(in: Payload(aps: aps)).filter {
            $0.code != "payload-too-large"
        }
    }
}
