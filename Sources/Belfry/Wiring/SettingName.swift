import JSON

/// A setting that the environment and the settings file may have. Everything else in the file, and in variables that
/// begin with `BELFRY_`, is an error: a misspelled setting would be ignored otherwise.
struct SettingName {
    enum Kind {
        case text, number, flag
    }

    /// Members of the file, joined by dots.
    let key: String
    let kind: Kind

    /// As in BELFRY_RATE_LIMIT_KEY.
    var variable: String { key.split(separator: ".").joined(separator: "_").uppercased() }

    static let all: [SettingName] =
        named(
            .text,
            [
                "belfry.host", "belfry.management.host", "belfry.state", "belfry.sealing.key",
                "belfry.sealing.key.file",
                "belfry.apns.host", "belfry.apns.ca.file", "belfry.public.url", "belfry.devices.host",
                "belfry.devices.url", "belfry.media.directory", "belfry.access.log", "belfry.process.name",
                "belfry.log.level", "belfry.log.format", "belfry.trusted.proxies", "belfry.tls.certificate",
                "belfry.tls.key",
                "belfry.admin.email", "belfry.admin.password", "belfry.admin.password.file", "database.url",
                "database.url.file", "database.direct.url", "database.direct.url.file",
            ])
        + named(
            .number,
            [
                "belfry.port", "belfry.management.port", "belfry.devices.port", "belfry.apns.port",
                "belfry.apns.connections", "belfry.unresolved", "belfry.send.loops", "belfry.web.loops",
                "belfry.max.connections", "belfry.max.connections.per.address",
                "belfry.max.requests.per.connection", "belfry.max.header.bytes", "belfry.header.timeout",
                "belfry.body.timeout", "belfry.write.timeout", "belfry.idle.timeout", "belfry.drain.seconds",
                "belfry.rate.limit.key",
                "belfry.rate.limit.address", "belfry.lease.seconds", "belfry.renewal.seconds",
                "belfry.request.deadline.seconds", "belfry.retry.seconds", "belfry.backup.jobs",
            ])
        + named(
            .flag,
            [
                "belfry.unsafe.server", "belfry.private.database", "belfry.no.migrate",
                "belfry.webhooks.private.addresses",
            ])

    private static func named(_ kind: Kind, _ keys: [String]) -> [SettingName] {
        keys.map { SettingName(key: $0, kind: kind) }
    }

    /// Continues a sentence that begins with the setting's name; nil if the value is of the right kind.
    func mistake(in value: JSON) -> String? {
        switch (kind, value) {
        case (.text, .string), (.flag, .bool): nil
        case (.number, .number(let number)) where Int(number.text) != nil: nil
        case (.text, _): "must be a string"
        case (.number, .number(let number)): Self.mistake(inNumber: number.text)
        case (.number, _): "must be a whole number"
        case (.flag, _): "must be true or false"
        }
    }

    /// The same for the text of an environment variable.
    func mistake(in text: String) -> String? {
        switch kind {
        case .text: nil
        case .number: Int(text) == nil ? Self.mistake(inNumber: text) : nil
        case .flag: ["true", "false"].contains(text) ? nil : "must be true or false"
        }
    }

    /// A number of too many digits is a whole number as well.
    private static func mistake(inNumber text: String) -> String {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let isWhole = !digits.isEmpty && digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return isWhole ? "is out of range: it has too many digits" : "must be a whole number"
    }

    /// "; did you mean …?" or nothing.
    static func suggestion(for name: String, among names: [String]) -> String {
        Spelling.nearest(to: name, among: names).map { "; did you mean \($0)?" } ?? ""
    }
}
