/// The texts that Belfry itself knows of a device. A template names them like attributes, with a dollar sign in front.
public enum DeviceText: Int, CaseIterable, Hashable, Sendable {
    case userID, locale, timeZone, osVersion, appVersion, model

    public var name: String {
        switch self {
        case .userID: "$user_id"
        case .locale: "$locale"
        case .timeZone: "$time_zone"
        case .osVersion: "$os_version"
        case .appVersion: "$app_version"
        case .model: "$model"
        }
    }
}

extension DeviceChanges {
    public subscript(_ text: DeviceText) -> PatchValue<String> {
        switch text {
        case .userID: userID
        case .locale: locale
        case .timeZone: timeZone
        case .osVersion: osVersion
        case .appVersion: appVersion
        case .model: model
        }
    }
}
