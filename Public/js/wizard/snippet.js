// The code that an app needs, filled in. Docs/sdk.md explains it. Pure.

/** A Swift file that registers the device at each launch. */
export const swift = ({ api, key }) =>
  `import UIKit
import UserNotifications

/// Registers this device with Belfry, so that pushes reach it.
final class Belfry {
    static let shared = Belfry()
    private let api = URL(string: "${api}")!
    private let key = "${key}"

    /// Call it at each launch, in application(_:didFinishLaunchingWithOptions:).
    func start() {
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge, .sound]) { _, _ in
            DispatchQueue.main.async { UIApplication.shared.registerForRemoteNotifications() }
        }
    }

    /// Call it in application(_:didRegisterForRemoteNotificationsWithDeviceToken:).
    func register(_ token: Data) async throws {
        let settings = await UNUserNotificationCenter.current().notificationSettings()
        let device: [String: Any] = [
            "token": token.map { String(format: "%02x", $0) }.joined(),
            "environment": isDevelopment ? "development" : "production",
            "authorization_status": Self.name(of: settings.authorizationStatus),
            "locale": Locale.current.identifier,
            "time_zone": TimeZone.current.identifier,
            "os_version": await UIDevice.current.systemVersion,
            "app_version": Bundle.main.infoDictionary?["CFBundleShortVersionString"] ?? "0",
        ]
        var request = URLRequest(url: api.appendingPathComponent("devices/\\(installation)"))
        request.httpMethod = "PUT"
        request.setValue("Bearer \\(key)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONSerialization.data(withJSONObject: device)
        let (answer, response) = try await URLSession.shared.data(for: request)
        print("Belfry:", String(decoding: answer, as: UTF8.self))
        // 408, 429 and 5xx: the next launch registers again. Other errors are mistakes, which the answer explains.
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    }

    private static func name(of status: UNAuthorizationStatus) -> String {
        switch status {
        case .notDetermined: "not_determined"
        case .denied: "denied"
        case .provisional: "provisional"
        case .ephemeral: "ephemeral"
        default: "authorized"
        }
    }

    /// A random text, made once. Keep it in the Keychain if it shall survive a reinstall.
    private var installation: String {
        if let known = UserDefaults.standard.string(forKey: "belfry.installation") { return known }
        let new = UUID().uuidString
        UserDefaults.standard.set(new, forKey: "belfry.installation")
        return new
    }

    /// Apps that Xcode installs have tokens of Apple's development environment.
    private var isDevelopment: Bool {
        guard let url = Bundle.main.url(forResource: "embedded", withExtension: "mobileprovision"),
            let profile = try? String(contentsOf: url, encoding: .isoLatin1)
        else {
            #if targetEnvironment(simulator)
                return true
            #else
                return false
            #endif
        }
        return profile.range(
            of: "<key>aps-environment</key>\\\\s*<string>development</string>", options: .regularExpression) != nil
    }
}
`;

/** The two calls in the app's delegate. */
export const delegate = () =>
  `func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]? = nil
) -> Bool {
    Belfry.shared.start()
    return true
}

func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data
) {
    Task { try await Belfry.shared.register(token) }
}
`;

/** The installation of the pretend phone. */
export const pretended = "first-phone";

/** Registers the pretend phone, for a try without an app. */
export const curl = ({ api, key }) =>
  `curl --fail-with-body -X PUT "${api}/devices/${pretended}" \\
    -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\
    -d '{"token": "8f3a5c0e7b1d49268f3a5c0e7b1d49268f3a5c0e7b1d49268f3a5c0e7b1d4926",
         "environment": "production", "locale": "en_GB", "time_zone": "Europe/London"}'
`;

/** Returns true if phones can't reach an address, because it means the phone itself. */
export const isLoopback = (host) => /^(localhost|127\.|\[?::1)/.test(host) || host.endsWith(".localhost");
