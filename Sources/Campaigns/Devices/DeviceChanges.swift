public import Notifications

/// Changes to a device; absent values are unchanged.
public struct DeviceChanges: Equatable, Sendable {
    public var token: DeviceToken?
    public var environment: PushEnvironment?
    public var authorization: AuthorizationStatus?
    public var userID = PatchValue<String>.absent
    public var locale = PatchValue<String>.absent
    public var timeZone = PatchValue<String>.absent
    public var osVersion = PatchValue<String>.absent
    public var appVersion = PatchValue<String>.absent
    public var model = PatchValue<String>.absent
    /// The text of a JSON object, by `NotificationSetting`; it replaces all settings.
    public var settings: [UInt8]?
    /// The installation's own attributes, tags and opt-outs.
    public var profile = ProfileChanges()
    /// Whether the device is a test device. `nickname` is its name for people.
    public var isTest: Bool?
    public var nickname = PatchValue<String>.absent

    public init() {}

    /// These changes and then `later` ones.
    public func followed(by later: DeviceChanges) -> DeviceChanges {
        var both = self
        both.token = later.token ?? token
        both.environment = later.environment ?? environment
        both.authorization = later.authorization ?? authorization
        both.userID = userID.overridden(by: later.userID)
        both.locale = locale.overridden(by: later.locale)
        both.timeZone = timeZone.overridden(by: later.timeZone)
        both.osVersion = osVersion.overridden(by: later.osVersion)
        both.appVersion = appVersion.overridden(by: later.appVersion)
        both.model = model.overridden(by: later.model)
        both.settings = later.settings ?? settings
        both.profile = profile.followed(by: later.profile)
        both.isTest = later.isTest ?? isTest
        both.nickname = nickname.overridden(by: later.nickname)
        return both
    }
}
