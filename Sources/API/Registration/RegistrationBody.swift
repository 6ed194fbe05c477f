import Campaigns
import JSON
import Notifications
import Store

/// What is said about a device in JSON, read member by member: the body of PUT and PATCH, an element of a list, a line
/// of a file.
struct RegistrationBody: Equatable {
    /// Bytes of a whole body; its attributes may be 4 KiB of it.
    static let maximumSize = 16 * 1024
    /// Bytes of one text.
    static let maximumUserIDLength = 200
    static let maximumLocaleLength = 35
    static let maximumTimeZoneLength = 64
    static let maximumVersionLength = 64
    static let maximumModelLength = 100
    static let maximumTagLength = 64
    /// Characters.
    static let maximumNicknameLength = 100
    static let maximumTags = 100

    /// Where it stands and who sends it, which decides about its members.
    struct Form {
        enum Need {
            /// PUT: token and environment.
            case registration
            /// PATCH: nothing.
            case nothing
            /// A line of a file: the environment if there is a token.
            case environmentOfToken
        }

        let need: Need
        /// Whether it stands among others, and so says which installation it is about.
        var namesInstallation = false
        /// Whether a secret key sends it, which may say what people know of a device.
        var isTrusted = false
        /// Members that mean nothing here, and are no fault.
        var ignored: Set<String> = []

        static let register = Form(need: .registration)
        static let update = Form(need: .nothing)
    }

    /// The device, where the address does not say it; nil if it was not named well.
    var installation: String?
    var kind = DeviceKind.alert
    var activity: String?
    var changes = DeviceChanges()
    /// What was not taken as it was given: an odd locale or time zone is no reason to lose a phone.
    var warnings: [Problem] = []

    private enum Member: String, CaseIterable {
        case token, environment, authorization
        case userID = "user_id"
        case locale
        case timeZone = "time_zone"
        case osVersion = "os_version"
        case appVersion = "app_version"
        case model, attributes, settings, tags
        case optOuts = "opt_outs"
        case installation, kind, activity
        case isTest = "is_test"
        case nickname
    }

    /// `isTimeZone` knows the names that the database knows.
    static func read(
        _ bytes: [UInt8], as form: Form, isTimeZone: (String) -> Bool
    ) throws(ByteReader.Malformed) -> (body: RegistrationBody, problems: [Problem]) {
        let read = try ByteReader.read(bytes) { reader throws(ByteReader.Malformed) in
            try RegistrationBody(&reader, form, isTimeZone)
        }
        return (read.value, read.problems)
    }

    /// Reads the next value; what is wrong with it is among the reader's problems.
    init(
        _ reader: inout ByteReader, _ form: Form, _ isTimeZone: (String) -> Bool
    ) throws(ByteReader.Malformed) {
        guard reader.peek() == UInt8(ascii: "{") else {
            try reader.wrongType("", "an object")
            return
        }
        var seen: UInt32 = 0
        let problemsBefore = reader.problems.count
        try reader.members { reader, key throws(ByteReader.Malformed) in
            guard let index = Self.index(of: key) else {
                if form.ignored.contains(key) { try reader.skip() } else { try reader.unknownMember(key) }
                return
            }
            guard seen & 1 << index == 0 else { throw reader.repeated(key) }
            seen |= 1 << index
            try self.read(Self.members[index].member, &reader, form, isTimeZone)
        }
        func has(_ member: Member) -> Bool { Self.index(of: member.rawValue).map { seen & 1 << $0 != 0 } ?? false }
        if form.namesInstallation, !has(.installation) {
            reader.refuse(Member.installation.rawValue, "missing", "must say which installation this is")
        }
        let isNew =
            switch form.need {
            case .registration: true
            case .nothing: false
            case .environmentOfToken: has(.token)
            }
        for required in [Member.token, .environment] where isNew && !has(required) {
            reader.refuse(required.rawValue, "missing", "is needed to register a device")
        }
        if reader.problems.count == problemsBefore { checkActivity(&reader) }
    }

    private func checkActivity(_ reader: inout ByteReader) {
        let name = DeviceKind.liveActivityUpdate.name
        if kind == .liveActivityUpdate, activity == nil {
            reader.refuse("activity", "missing", "must say which Live Activity a token of the kind \(name) updates")
        } else if kind != .liveActivityUpdate, activity != nil {
            reader.refuse("activity", "not-allowed", "goes with the kind \(name) only")
        }
    }

    /// The device it is about, if nothing is wrong with it.
    func address(of installation: String) -> DeviceAddress {
        DeviceAddress(installation, kind: kind, activity: activity ?? "")
    }

    /// A table in the order that phones usually write in: looking a name up compares few.
    private static let members = Member.allCases.map { (name: $0.rawValue, member: $0) }

    private static func index(of key: String) -> Int? { members.firstIndex { $0.name == key } }

    private mutating func read(
        _ member: Member, _ reader: inout ByteReader, _ form: Form, _ isTimeZone: (String) -> Bool
    ) throws(ByteReader.Malformed) {
        let path = member.rawValue
        switch member {
        case .token:
            guard let hex = try reader.requiredText(path) else { return }
            do throws(InvalidValue) {
                changes.token = try DeviceToken(hex: hex)
            } catch {
                reader.problems.append(error.problem(at: path))
            }
        case .environment:
            changes.environment = try reader.choice(
                path, "unknown-environment", among: PushEnvironment.allCases, \.name)
        case .authorization:
            if reader.peek() == UInt8(ascii: "n") {
                try reader.word("null")
                changes.authorization = .standard
                return
            }
            changes.authorization = try reader.choice(
                path, "unknown-authorization", among: AuthorizationStatus.allCases, \.name)
        case .userID: changes.userID = try reader.text(path, 1...Self.maximumUserIDLength)
        case .locale: changes.locale = locale(try reader.text(path, 0...RegistrationBody.maximumSize))
        case .timeZone:
            changes.timeZone = timeZone(try reader.text(path, 0...RegistrationBody.maximumSize), isTimeZone)
        case .osVersion: changes.osVersion = try reader.text(path, 1...Self.maximumVersionLength)
        case .appVersion: changes.appVersion = try reader.text(path, 1...Self.maximumVersionLength)
        case .model: changes.model = try reader.text(path, 1...Self.maximumModelLength)
        case .attributes: changes.attributes = try reader.attributes(path)
        case .settings: changes.settings = try reader.settings(path)
        case .tags: changes.tags = try reader.words(path, atMost: Self.maximumTags, Self.problem(withTag:))
        case .optOuts:
            changes.optOuts = try reader.words(path, atMost: TopicStore.maximumCount, Self.problem(withTopic:))
        case .kind:
            if let kind = try reader.choice(path, "unknown-kind", among: DeviceKind.allCases, \.name) {
                self.kind = kind
            }
        case .activity:
            if case .value(let text) = try reader.text(path, 1...DeviceAddress.maximumActivityLength) {
                activity = text
            }
        case .installation: try readInstallation(&reader, path, form)
        case .isTest, .nickname: try readWhatPeopleSay(member, &reader, form)
        }
    }

    private mutating func readInstallation(
        _ reader: inout ByteReader, _ path: String, _ form: Form
    ) throws(ByteReader.Malformed) {
        guard form.namesInstallation else { return try reader.unknownMember(path) }
        guard let name = try reader.requiredText(path) else { return }
        guard DeviceAddress.isInstallation(name) else {
            return reader.refuse(path, "invalid-installation", DeviceAddress.formOfInstallation)
        }
        installation = name
    }

    private mutating func readWhatPeopleSay(
        _ member: Member, _ reader: inout ByteReader, _ form: Form
    ) throws(ByteReader.Malformed) {
        let path = member.rawValue
        guard form.isTrusted else {
            try reader.skip()
            return reader.refuse(path, "secret-key-needed", "can be set with a secret key only")
        }
        if member == .isTest {
            changes.isTest = try reader.flag(path)
            return
        }
        changes.nickname = try reader.text(path, 1...4 * Self.maximumNicknameLength)
        if case .value(let text) = changes.nickname, text.unicodeScalars.count > Self.maximumNicknameLength {
            reader.refuse(path, "too-long", "must be at most \(Self.maximumNicknameLength) characters")
        }
    }
}

extension DeviceAddress {
    /// In words that follow on the field's name.
    static let formOfInstallation = "must be 1 to \(maximumInstallationLength) visible ASCII characters"
}
