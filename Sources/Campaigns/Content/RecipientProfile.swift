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
