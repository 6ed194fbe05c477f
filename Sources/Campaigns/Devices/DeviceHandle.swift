/// The name of a device for those who may read devices and not change them: "~" and its number.
///
/// An installation is a secret: a caller who knows one can change the device with the app's publishable key. So it is
/// shown to callers who may change devices anyway, and others get this handle in its place. It is accepted where
/// devices are read.
public struct DeviceHandle: Hashable, Sendable {
    static let mark = "~"

    public let device: Device.ID

    public init(_ device: Device.ID) { self.device = device }

    /// Nil for an installation.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.mark), let id = Device.ID(String(text.dropFirst())) else { return nil }
        device = id
    }

    public var text: String { "\(Self.mark)\(device)" }
}
