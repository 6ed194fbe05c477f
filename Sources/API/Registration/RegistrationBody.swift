import Campaigns
import JSON
import Notifications
import Store

/// Reads a device from JSON: the body of PUT and PATCH, an element of a bulk request, or a line of a device file.
struct RegistrationBody: Equatable {
    /// The maximum size of a body in bytes, including up to 4 KiB of attributes.
    static let maximumSize = 16 * 1024
    /// In bytes.
    static let maximumUserIDLength = 200
    static let maximumSignatureLength = 200
    static let maximumVersionLength = 64
    static let maximumModelLength = 100
    static let maximumTagLength = 64
    /// In characters.
    static let maximumNicknameLength = 100
    static let maximumTags = 100

    /// Which members a body may and must have, depending on the request and on the sender.
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
        /// Whether the body names its installation, because it is one of several.
        var namesInstallation = false
        /// Whether the request has a secret key, which may set `is_test` and `nickname`.
        var isTrusted = false
        /// Whether `attributes` changes the named ones, or replaces all.
        var mergesAttributes = false
        /// Members that are ignored without a problem.
        var ignored: Set<String> = []
        /// Members that say when a line of a file was true; the latest counts.
        var times: Set<String> = []
        /// Whether the body is a line of a file: values may be spelled as programs export them, and a token is enough
        /// to identify a device.
        var isFile = false
        /// The environment of a token whose line names none.
        var environment: PushEnvironment?

        static let register = Form(need: .registration)
        static let update = Form(need: .nothing, mergesAttributes: true)
    }

    /// The installation, if the body names it; nil if it is missing or invalid.
    var installation: String?
    var kind = DeviceKind.alert
    var activity: String?
    var changes = DeviceChanges()
    /// Changes to the person who uses the device.
    var person: ProfileChanges?
    /// The proof of the app's server that it knows the user.
    var userIDSignature: String?
    private var profile = ProfileBody()
    /// When the line of a file was true.
    private(set) var asOf: Instant?
    /// When the app sent it, by the clock of the device.
    var sentAt: Instant?
    /// Values that are probably wrong or were not stored as sent: they must not prevent a registration.
    var warnings: [Problem] = []

    private enum Member: String, CaseIterable {
        case token, environment
        case authorization = "authorization_status"
        case userID = "user_id"
        case locale
        case timeZone = "time_zone"
        case osVersion = "os_version"
        case appVersion = "app_version"
        case model, settings, person
        case userIDSignature = "user_id_signature"
        case installation, kind, activity
        case isTest = "is_test"
        case nickname
        case sentAt = "sent_at"
    }

    static func read(
        _ bytes: [UInt8], as form: Form
    ) throws(ByteReader.Malformed) -> (body: RegistrationBody, problems: [Problem]) {
        let read = try ByteReader.read(bytes) { reader throws(ByteReader.Malformed) in
            try RegistrationBody(&reader, form)
        }
        return (read.value, read.problems)
    }

    /// The body of an element that is not JSON.
    static let unread = RegistrationBody()

    private init() {}

    /// Reads the next value, and adds its problems to the reader's.
    init(
        _ reader: inout ByteReader, _ form: Form
    ) throws(ByteReader.Malformed) {
        guard reader.peek() == UInt8(ascii: "{") else {
            try reader.wrongType("", "an object")
            return
        }
        var seen: UInt32 = 0
        let problemsBefore = reader.problems.count
        try reader.members { reader, key throws(ByteReader.Malformed) in
            if let index = Self.index(of: key) {
                guard seen & 1 << index == 0 else { throw reader.repeated(key) }
                seen |= 1 << index
                return try self.read(Self.members[index].member, &reader, form)
            }
            guard let member = ProfileBody.Member(rawValue: key),
                form.mergesAttributes || member != .replaceAttributes
            else {
                if form.times.contains(key) {
                    if let time = try reader.lineTime(key) { self.asOf = max(self.asOf ?? time, time) }
                } else if form.ignored.contains(key) {
                    try reader.skip()
                } else {
                    try reader.unknownMember(key)
                }
                return
            }
            let bit = Self.members.count + (ProfileBody.Member.allCases.firstIndex(of: member) ?? 0)
            guard seen & 1 << bit == 0 else { throw reader.repeated(key) }
            seen |= 1 << bit
            try self.profile.read(member, &reader, key)
        }
        changes.profile = profile.changes(form.mergesAttributes ? .merging : .replacing, &reader)
        func has(_ member: Member) -> Bool { Self.index(of: member.rawValue).map { seen & 1 << $0 != 0 } ?? false }
        let namesNone = form.isFile && installation == nil && reader.problems.count == problemsBefore
        if form.namesInstallation, !has(.installation) || namesNone {
            nameInstallation(form, hasToken: has(.token), &reader)
        }
        let isNew =
            switch form.need {
            case .registration: true
            case .nothing: false
            case .environmentOfToken: has(.token)
            }
        for required in [Member.token, .environment] where isNew && !has(required) {
            if required == .environment, let environment = form.environment {
                changes.environment = environment
            } else {
                reader.refuse(required.rawValue, "missing", "is required to register a device")
            }
        }
        if reader.problems.count == problemsBefore { checkActivity(&reader) }
        guard form.need == .registration else { return }
        replaceAll { has($0) }
        if let person, !person.isEmpty, changes.userID.value == nil {
            reader.refuse(Member.person.rawValue, "user-id-missing", "needs a user_id: the person that it describes")
        }
    }

    /// A line of a file that names only the token gets an installation that is derived from it.
    private mutating func nameInstallation(_ form: Form, hasToken: Bool, _ reader: inout ByteReader) {
        let member = Member.installation.rawValue
        switch (form.isFile, changes.token) {
        case (true, let token?): installation = FileSpelling.installation(of: token)
        case (true, nil) where hasToken: break
        case (true, nil): reader.refuse(member, "missing", "or a token is required, because it identifies the device")
        case (false, _): reader.refuse(member, "missing", "is required, because it identifies the device")
        }
    }

    /// PUT states everything that the app knows: what it leaves out is cleared. Tags and opt-outs stay, because people
    /// and servers set them, too; losing an opt-out would send unwanted pushes. So do `is_test` and `nickname`.
    private mutating func replaceAll(except isGiven: (Member) -> Bool) {
        if !isGiven(.userID) { changes.userID = .null }
        if !isGiven(.locale) { changes.locale = .null }
        if !isGiven(.timeZone) { changes.timeZone = .null }
        if !isGiven(.osVersion) { changes.osVersion = .null }
        if !isGiven(.appVersion) { changes.appVersion = .null }
        if !isGiven(.model) { changes.model = .null }
        changes.settings = changes.settings ?? Array("{}".utf8)
        changes.authorization = changes.authorization ?? .standard
        if changes.profile.attributes == .keep { changes.profile.attributes = .state(.none) }
    }

    private func checkActivity(_ reader: inout ByteReader) {
        let name = DeviceKind.liveActivityUpdate.name
        if kind == .liveActivityUpdate, activity == nil {
            reader.refuse(
                "activity", "missing",
                "is required with the kind \(name): the Live Activity that the token updates")
        } else if kind != .liveActivityUpdate, activity != nil {
            reader.refuse("activity", "not-allowed", "can only be combined with the kind \(name)")
        }
    }

    /// The address of the device; valid only if there are no problems.
    func address(of installation: String) -> DeviceAddress {
        DeviceAddress(installation, kind: kind, activity: activity ?? "")
    }

    /// All members, in the order in which devices usually send them, so that a lookup needs few comparisons.
    private static let members = Member.allCases.map { (name: $0.rawValue, member: $0) }

    static func hasMember(_ name: String) -> Bool {
        index(of: name) != nil || ProfileBody.Member(rawValue: name) != nil
    }

    private static func index(of key: String) -> Int? { members.firstIndex { $0.name == key } }

    private mutating func read(
        _ member: Member, _ reader: inout ByteReader, _ form: Form
    ) throws(ByteReader.Malformed) {
        let path = member.rawValue
        switch member {
        case .token:
            guard let hex = try reader.requiredText(path) else { return }
            do throws(InvalidValue) {
                let token = form.isFile ? try FileSpelling.token(hex) : try DeviceToken(hex: hex)
                changes.token = token
                checkToken(token)
            } catch {
                reader.problems.append(error.problem(at: path))
            }
        case .environment:
            changes.environment = try reader.choice(
                path, "unknown-environment", among: PushEnvironment.allCases, \.name,
                otherNames: form.isFile ? FileSpelling.environments : nil)
        case .authorization:
            if reader.peek() == UInt8(ascii: "n") {
                try reader.word("null")
                changes.authorization = .standard
                return
            }
            changes.authorization = try reader.choice(
                path, "unknown-authorization-status", among: AuthorizationStatus.allCases, \.name,
                otherNames: form.isFile ? FileSpelling.authorizations : nil)
        case .userID:
            changes.userID = try reader.text(path, 1...Self.maximumUserIDLength)
            if form.isFile { changes.userID = textOfFile(path, changes.userID) }
            if let problem = changes.userID.value.flatMap({ Self.problem(withUserID: $0) }) {
                reader.refuse(path, problem.code, problem.message)
            }
        case .locale: changes.locale = locale(try reader.text(path, 0...RegistrationBody.maximumSize))
        case .timeZone:
            changes.timeZone = timeZone(try reader.text(path, 0...RegistrationBody.maximumSize))
        case .osVersion:
            changes.osVersion = osVersion(fact(try reader.text(path, 0...Self.maximumVersionLength), path))
        case .appVersion:
            changes.appVersion = appVersion(fact(try reader.text(path, 0...Self.maximumVersionLength), path))
        case .model: changes.model = fact(try reader.text(path, 0...Self.maximumModelLength), path).map(\.composed)
        case .person: person = try reader.profile(path)
        case .userIDSignature: userIDSignature = try reader.text(path, 1...Self.maximumSignatureLength).value
        case .settings: changes.settings = try reader.settings(path)
        case .kind, .activity:
            guard form.namesInstallation else {
                try reader.skip()
                return reader.refuse(
                    path, "not-allowed",
                    "is part of the device's address; send it as a query parameter, like ?kind=voip")
            }
            try readAddressMember(member, &reader, form)
        case .installation: try readInstallation(&reader, path, form)
        case .sentAt: sentAt = try reader.sendingTime(path, &warnings)
        case .isTest, .nickname: try readOperatorField(member, &reader, form)
        }
    }

    private mutating func readAddressMember(
        _ member: Member, _ reader: inout ByteReader, _ form: Form
    ) throws(ByteReader.Malformed) {
        let path = member.rawValue
        if member == .kind {
            let kind = try reader.choice(
                path, "unknown-kind", among: DeviceKind.allCases, \.name,
                otherNames: form.isFile ? FileSpelling.kinds : nil)
            if let kind { self.kind = kind }
        } else if case .value(let text) = try reader.text(path, 1...DeviceAddress.maximumActivityLength) {
            activity = text
        }
    }

    private mutating func readInstallation(
        _ reader: inout ByteReader, _ path: String, _ form: Form
    ) throws(ByteReader.Malformed) {
        guard form.namesInstallation else { return try reader.unknownMember(path) }
        guard var name = try reader.requiredText(path) else { return }
        if form.isFile {
            guard let text = textOfFile(path, .value(name)).value else { return }
            name = text
        }
        guard DeviceAddress.isInstallation(name) else {
            return reader.refuse(path, "invalid-installation", DeviceAddress.installationRule)
        }
        installation = name
    }

    private mutating func readOperatorField(
        _ member: Member, _ reader: inout ByteReader, _ form: Form
    ) throws(ByteReader.Malformed) {
        let path = member.rawValue
        guard form.isTrusted else {
            try reader.skip()
            return reader.refuse(path, "secret-key-required", "can only be set with a secret key")
        }
        if member == .isTest {
            changes.isTest = try reader.flag(path)
            return
        }
        changes.nickname = try reader.text(path, 1...4 * Self.maximumNicknameLength).map(\.composed)
        guard case .value(let text) = changes.nickname else { return }
        if text.unicodeScalars.count > Self.maximumNicknameLength {
            reader.refuse(path, "too-long", "must be at most \(Self.maximumNicknameLength) characters")
        }
        if let problem = NameText.problem(text) { reader.refuse(path, problem.code, problem.message) }
    }
}

extension DeviceAddress {
    /// The rule for installations, as a text that follows the field's name.
    static let installationRule: Message =
        "must be 1 to \(maximumInstallationLength) visible ASCII characters, must not be . or .., and must not begin with ~"
}
