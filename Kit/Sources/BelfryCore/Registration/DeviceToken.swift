import Foundation

/// A token as the server reads it. Its length is not fixed.
public struct DeviceToken: Sendable, Equatable {
    /// Bytes in a token, as the server accepts them.
    public static let lengths = 1...200

    /// Two digits for each byte.
    public let hexadecimal: String

    /// Nil if the server would refuse the length.
    public init?(_ bytes: Data) {
        guard Self.lengths.contains(bytes.count) else { return nil }
        let digits = Array("0123456789abcdef".utf8)
        hexadecimal = String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension DeviceState.Environment {
    /// The environment by `embedded.mobileprovision` from the app's bundle, which only apps outside the App Store have.
    /// Without the file, or if it can't be read, the environment is production; the server corrects a wrong one at the
    /// first push.
    public init(provisioningProfile: Data?) {
        self = provisioningProfile.flatMap(Self.entitled) == "development" ? .development : .production
    }

    /// The profile is a signed CMS message that holds its property list as plain bytes.
    private static func entitled(_ profile: Data) -> String? {
        // Latin 1 has a character for each byte.
        guard let text = String(data: profile, encoding: .isoLatin1), let start = text.range(of: "<?xml"),
            let end = text.range(of: "</plist>", range: start.upperBound..<text.endIndex),
            let bytes = String(text[start.lowerBound..<end.upperBound]).data(using: .isoLatin1),
            let list = try? PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any],
            let entitlements = list["Entitlements"] as? [String: Any]
        else { return nil }
        return entitlements["aps-environment"] as? String
    }
}
