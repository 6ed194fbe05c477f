/// The identity of a device within its app: an installation has a device for each kind of token, and one for each
/// active Live Activity.
public struct DeviceAddress: Hashable, Sendable {
    /// Bytes of an installation's name, which the app makes: a random secret.
    public static let maximumInstallationLength = 200
    /// Bytes.
    public static let maximumActivityLength = 200

    public let installation: String
    public let kind: DeviceKind
    /// ActivityKit's id of the Live Activity; empty for every kind but `liveActivityUpdate`.
    public let activity: String

    public init(_ installation: String, kind: DeviceKind = .alert, activity: String = "") {
        precondition((kind == .liveActivityUpdate) == !activity.isEmpty, "an activity goes with its updates")
        self.installation = installation
        self.kind = kind
        self.activity = activity
    }

    /// Whether an installation may have this name: visible ASCII, and nothing that clients remove from an address.
    public static func isInstallation(_ name: String) -> Bool {
        1...maximumInstallationLength ~= name.utf8.count && name.utf8.allSatisfy { 0x21...0x7E ~= $0 }
            && name != "." && name != ".." && !name.hasPrefix(DeviceHandle.mark)
    }
}

extension DeviceAddress: Comparable {
    public static func < (left: DeviceAddress, right: DeviceAddress) -> Bool {
        if left.installation != right.installation { return left.installation < right.installation }
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        return left.activity < right.activity
    }
}
