public import JSON

/// What a local notification shows and carries. It is written like a push: Apple's keys in `aps`, and beside them what
/// the app finds in `userInfo` (UNNotificationContent).
public struct LocalNotificationContent: Sendable, Equatable {
    /// Of the keys of a push only those that mean something on the phone itself.
    public var aps: APS
    /// The app's own members.
    public var userInfo: [JSON.Member]
    /// The app loads it when it schedules the notification.
    public var attachmentURL: MediaURL?

    /// In bytes, of `userInfo` as JSON: as much as a push can hold.
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

    /// What UNNotificationContent has a property for.
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

    private static func refuse(at place: String, _ reader: inout ObjectReader) {
        reader.refuse(at: place, "not-local", "means nothing in a local notification, or is a typing error")
    }

    private func checkUserInfo(_ reader: inout ObjectReader) {
        if userInfo.contains(where: { $0.key == Key.aps.rawValue }) {
            reader.refuse(
                at: ProblemPath.member(Key.aps.rawValue, of: Key.userInfo.rawValue), "custom-key-aps",
                "must not be a key of the app's own: it is Apple's")
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

    /// What iOS accepts and a person should know.
    var warnings: [Problem] {
        findings.filter { $0.severity != .error }
    }

    /// The rules of an alert push hold, but for its size.
    private var findings: [Problem] {
        PushRules(pushType: .alert, messageIDKey: nil).problems(in: Payload(aps: aps)).filter {
            $0.code != "payload-too-large"
        }
    }
}
