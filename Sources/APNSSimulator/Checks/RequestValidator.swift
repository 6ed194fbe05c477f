import FoundationEssentials

/// The result of checking one request.
struct RequestCheck {
    /// Nil if Apple would accept the push.
    var rejection: APNSRejection?
    var flags: PushWarnings = []
    /// Whether the provider token was valid, even if the request was rejected for another reason.
    var isAuthenticated = false
    var id: PushID?
    /// The hash of the device token; nil if the token is missing or malformed.
    var tokenHash: UInt64?
    /// The device's index in the device table; nil if the token is not in it.
    var device: Int?
    /// The Live Activity event, if the push has one.
    var activity: ActivityPush?
}

/// Checks one request against Apple's rules for device pushes. Apple does not publish the order of its checks, so a
/// test should break one rule at a time.
struct RequestValidator {
    private static let pathPrefix = Array("/3/device".utf8)
    /// In bytes, not characters.
    static let longestCollapseID = 64
    /// In hexadecimal digits. Apple says only that tokens vary in length.
    static let longestToken = 400

    let environment: SimulatorConfiguration.Environment
    let acceptsUnknownTokens: Bool

    init(_ configuration: SimulatorConfiguration) {
        environment = configuration.environment
        acceptsUnknownTokens = configuration.acceptsUnknownTokens
    }

    func check(
        _ request: PushRequest, _ authority: inout ConnectionAuthority, devices: DeviceTable, at now: Date,
        environmentReason: String
    ) -> RequestCheck {
        var check = RequestCheck()
        check.id = request[.id].flatMap { PushID($0) }
        do throws(APNSRejection) {
            try perform(request, &authority, devices, now, environmentReason, &check)
        } catch {
            check.rejection = error
        }
        return check
    }

    private func perform(
        _ request: PushRequest, _ authority: inout ConnectionAuthority, _ devices: DeviceTable, _ now: Date,
        _ environmentReason: String, _ check: inout RequestCheck
    ) throws(APNSRejection) {
        guard let method = request[.method], isText(method, "POST") else { throw .methodNotAllowed }
        let digits = try deviceToken(in: request)
        let token = readToken(digits)
        check.tokenHash = token.map { Hash64.of($0) }

        let key: ProviderKey
        switch authority.check(request[.authorization], at: now, environmentReason: environmentReason) {
        case .refused(let rejection): throw rejection
        case .allowed(let allowed, let flags):
            key = allowed
            check.flags.formUnion(flags)
            check.isAuthenticated = true
        }
        if request.hasDuplicates { throw .duplicateHeaders }
        let type = try headers(of: request, now, &check)
        let topic = try self.topic(of: request, type, key)

        guard let hash = check.tokenHash else { throw .badDeviceToken }
        if digits.contains(where: { UInt8(ascii: "A")...UInt8(ascii: "F") ~= $0 }) {
            check.flags.insert(.upperCaseToken)
        }
        try device(hash, topic, devices, &check)
        try payload(of: request, type, &check)
    }

    private func deviceToken(in request: PushRequest) throws(APNSRejection) -> ArraySlice<UInt8> {
        guard let path = request[.path], path.starts(with: Self.pathPrefix) else { throw .badPath }
        let rest = path.dropFirst(Self.pathPrefix.count)
        guard let slash = rest.first else { throw .missingDeviceToken }
        guard slash == UInt8(ascii: "/") else { throw .badPath }
        let digits = rest.dropFirst()
        if digits.isEmpty { throw .missingDeviceToken }
        if digits.contains(UInt8(ascii: "/")) { throw .badPath }
        return digits
    }

    private func readToken(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2), digits.count <= Self.longestToken else { return nil }
        var token: [UInt8] = []
        token.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            guard let value = HexDigit.value(of: digit) else { return nil }
            if let first = high {
                token.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return token
    }

    /// Checks the headers that can be checked on their own. Returns the push type, `alert` if the header is missing.
    private func headers(
        of request: PushRequest, _ now: Date, _ check: inout RequestCheck
    ) throws(APNSRejection) -> PushType {
        if let id = request[.id] {
            guard check.id != nil else { throw .badMessageID }
            if id.contains(where: { UInt8(ascii: "A")...UInt8(ascii: "F") ~= $0 }) { check.flags.insert(.upperCaseID) }
        } else {
            check.flags.insert(.missingID)
        }
        if let expiration = request[.expiration] {
            guard let seconds = Int64(String(decoding: expiration, as: UTF8.self)), seconds >= 0 else {
                throw .badExpirationDate
            }
            if seconds != 0, Double(seconds) < now.timeIntervalSince1970 { check.flags.insert(.expired) }
        }
        let priority = request[.priority]
        if let priority, !isText(priority, "10"), !isText(priority, "5"), !isText(priority, "1") {
            throw .badPriority
        }
        var type = PushType.alert
        if let name = request[.pushType] {
            guard let known = PushType(rawValue: String(decoding: name, as: UTF8.self)) else { throw .invalidPushType }
            type = known
        } else {
            check.flags.insert(.missingPushType)
        }
        if type == .background {
            if let priority, isText(priority, "10") { throw .badPriority }
            if priority == nil { check.flags.insert(.backgroundWithoutPriority) }
        }
        if let priority, !type.priorities.contains(where: { isText(priority, $0) }) {
            check.flags.insert(.undocumentedPriority)
        }
        if let collapseID = request[.collapseID], collapseID.count > Self.longestCollapseID { throw .badCollapseID }
        return type
    }

    private func topic(of request: PushRequest, _ type: PushType, _ key: ProviderKey) throws(APNSRejection) -> String {
        guard let value = request[.topic], !value.isEmpty else { throw .missingTopic }
        let topic = String(decoding: value, as: UTF8.self)
        guard let suffix = type.topicSuffix else { return topic }
        guard topic.hasSuffix(suffix) else { throw .badTopic }
        let bundleID = String(topic.dropLast(suffix.count))
        if key.isValid(for: bundleID) { return topic }
        // A topic of another push type, with a valid bundle id.
        let otherSuffixes = PushType.allCases.compactMap(\.topicSuffix).filter { !$0.isEmpty }
        let isOtherTypes = otherSuffixes.contains { suffix in
            bundleID.hasSuffix(suffix) && key.isValid(for: String(bundleID.dropLast(suffix.count)))
        }
        throw isOtherTypes ? .badTopic : .topicDisallowed
    }

    private func device(
        _ hash: UInt64, _ topic: String, _ devices: DeviceTable, _ check: inout RequestCheck
    ) throws(APNSRejection) {
        switch devices.status(ofTokenHash: hash, environment: environment, topic: topic) {
        case .unknown:
            if !acceptsUnknownTokens { throw .badDeviceToken }
        case .otherEnvironment: throw .badDeviceToken
        case .otherTopic: throw .deviceTokenNotForTopic
        case .unregistered(let milliseconds): throw .unregistered(since: milliseconds)
        case .reachable(let device): check.device = device
        }
    }

    private func payload(of request: PushRequest, _ type: PushType, _ check: inout RequestCheck) throws(APNSRejection) {
        if request.bodySize == 0 { throw .payloadEmpty }
        if request.bodySize > type.largestPayload { throw .payloadTooLarge }
        let findings = request.body.withUnsafeBytes { body in
            PayloadCheck(body, type: type).map { (flags: $0.flags, activity: $0.activity) }
        }
        guard let findings else {
            // Apple's answer to this is not known. The request is rejected and flagged.
            check.flags.insert(.malformedPayload)
            throw .payloadEmpty
        }
        check.flags.formUnion(findings.flags)
        check.activity = findings.activity
    }

    private func isText(_ bytes: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes.elementsEqual($0) }
    }
}

extension APNSRejection: Error {}
