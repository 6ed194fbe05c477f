/// Names of platforms as vendors and databases spell them.
enum FilePlatform {
    private static let apple: Set<String> = [
        "ios", "iphone", "ipad", "ipados", "iphoneos", "ipod", "ipodtouch", "visionos", "apple", "appleios",
        "applepush",
        "apns", "apn", "aps", "iosapns", "apnsios", "apnsproduction", "apnsprod", "apnsvoip", "iospush", "pushios",
        "iosapp",
        "iosmobile", "mobileios", "iosdevice", "iossdk", "nativeios", "iosnative",
    ]
    private static let sandbox: Set<String> = [
        "apnssandbox", "apnsvoipsandbox", "apnsdevelopment", "apnsdev", "iossandbox", "iosdev", "iosdevelopment",
    ]

    /// A name with one of these is another platform.
    private static let others = [
        "android", "fcm", "gcm", "firebase", "google", "web", "browser", "chrome", "chromium", "firefox", "mozilla",
        "safari", "edge", "opera", "windows", "wns", "mpns", "amazon", "adm", "fireos", "firetv", "alexa", "kindle",
        "huawei", "hms", "harmony", "xiaomi", "oppo", "vivo", "baidu", "samsung", "tizen", "email", "sms", "whatsapp",
        "macos", "osx", "tvos", "appletv", "watchos", "applewatch", "wearos", "roku", "desktop", "linux", "blackberry",
    ]

    /// What is no letter doesn't matter: versions, hyphens and underscores. Nil for a name that is neither Apple's nor a
    /// known other one: it must not cost devices without a word.
    static func effect(of text: String) -> DeviceRule.Effect? {
        let name = text.lowercased().filter(\.isLetter)
        if apple.contains(name) { return DeviceRule.Effect.none }
        if sandbox.contains(name) { return .development }
        return others.contains { name.contains($0) } ? .leftOut : nil
    }
}
