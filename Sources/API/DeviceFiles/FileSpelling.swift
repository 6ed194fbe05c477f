import Crypto
import JSON
import Notifications

/// How people and other programs spell values in files. Apps must be exact; a file is the work of somebody who can't
/// change what a program wrote.
enum FileSpelling {
    /// Names of members, without case and separators, and what they mean.
    static let environments = [
        "sandbox": "development", "dev": "development", "debug": "development", "prod": "production",
        "release": "production", "appstore": "production", "distribution": "production",
    ]
    static let kinds = ["push": "alert", "apns": "alert", "notification": "alert"]
    static let authorizations = ["allowed": "authorized", "granted": "authorized", "notallowed": "denied"]

    private static let flags: [String: Bool] = [
        "true": true, "yes": true, "y": true, "t": true, "1": true, "1.0": true, "on": true,
        "false": false, "no": false, "n": false, "f": false, "0": false, "0.0": false, "off": false,
    ]

    /// Nil for anything but yes and no.
    static func flag(_ field: ArraySlice<UInt8>) -> Bool? {
        flags[String(decoding: FileText.trim(field), as: UTF8.self).lowercased()]
    }

    /// Words that vendors have for the state of a subscription, without case and separators.
    private static let subscriptions = [
        "subscribed": true, "optedin": true, "optin": true, "active": true, "enabled": true, "unsubscribed": false,
        "optedout": false, "optout": false, "notsubscribed": false, "inactive": false, "disabled": false,
    ]

    /// Nil for anything but a state of a subscription.
    static func subscription(_ field: ArraySlice<UInt8>) -> Bool? {
        flag(field) ?? subscriptions[DeviceColumn.fold(String(decoding: FileText.trim(field), as: UTF8.self))]
    }

    /// A token as hexadecimal digits. Spaces and angle brackets are those of NSData's description. Base64 is only taken
    /// from 32 bytes, the size of iOS's tokens: a mistyped hexadecimal digit must not make another token.
    static func token(_ text: String) throws(InvalidValue) -> DeviceToken {
        let digits = text.filter { !"<> \t\u{A0}".contains($0) }
        if isForeign(digits) {
            throw InvalidValue(
                "foreign-token",
                "is a token of another push service (Firebase or Expo), which APNs does not know; import the tokens that iOS "
                    + "gave to the app")
        }
        do throws(InvalidValue) {
            return try DeviceToken(hex: digits)
        } catch {
            guard let bytes = base64Token(digits) else { throw error }
            return try DeviceToken(bytes: bytes)
        }
    }

    /// Firebase's registration tokens have a colon before a long part, Expo's have brackets.
    private static func isForeign(_ text: String) -> Bool {
        text.hasPrefix("ExponentPushToken[") || text.hasPrefix("ExpoPushToken[") || text.contains(":APA91")
    }

    private static let tokenSize = 32

    private static func base64Token(_ text: String) -> [UInt8]? {
        guard let bytes = try? Base64URL.decode(text, tolerating: .lenient), bytes.count == tokenSize else {
            return nil
        }
        return bytes
    }

    /// The installation of a device whose file names only the token: always the same, so that importing a file twice
    /// changes the same device. Nobody can find the token from it.
    static func installation(of token: DeviceToken) -> String {
        "file-" + SHA256.hex(Array("belfry import ".utf8) + token.bytes).prefix(32)
    }
}
