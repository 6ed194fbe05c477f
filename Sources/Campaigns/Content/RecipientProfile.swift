public import JSON
import Notifications

/// A recipient to compose or preview content for: a device, or invented values.
public struct RecipientProfile: Sendable, Equatable {
    public var userID: String?
    public var locale: String?
    public var timeZone: String?
    public var osVersion: String?
    public var appVersion: String?
    public var model: String?
    /// An object.
    public var attributes: JSON

    public init(
        userID: String? = nil, locale: String? = nil, timeZone: String? = nil, osVersion: String? = nil,
        appVersion: String? = nil, model: String? = nil, attributes: JSON = .object([])
    ) {
        self.userID = userID
        self.locale = locale
        self.timeZone = timeZone
        self.osVersion = osVersion
        self.appVersion = appVersion
        self.model = model
        self.attributes = attributes
    }

    /// The profile with these values in place of attributes with the same names.
    public func replacingAttributes(with values: [JSON.Member]) -> RecipientProfile {
        guard !values.isEmpty, case .object(let members) = attributes else { return self }
        // Compared as bytes, as PostgreSQL does: strings of Swift are equal in any Unicode form.
        let names = Set(values.map { Array($0.key.utf8) })
        var person = self
        person.attributes = .object(members.filter { !names.contains(Array($0.key.utf8)) } + values)
        return person
    }

    func value(of field: Field) -> JSON? {
        switch field {
        case .attribute(let path): path.reduce(attributes) { value, name in value?[name] }
        case .device(let field): text(of: field).map(JSON.string)
        }
    }

    private func text(of field: DeviceField) -> String? {
        switch field {
        case .userID: userID
        case .locale: locale
        case .timeZone: timeZone
        case .osVersion: osVersion
        case .appVersion: appVersion
        case .model: model
        case .language: locale.map { String($0.prefix { !"-_@".contains($0) }) }
        }
    }
}
