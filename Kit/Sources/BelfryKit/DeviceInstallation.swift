import BelfryCore
import Foundation

#if canImport(Security)
    import Security
#endif

/// The place of the installation: the Keychain. Where there is none, as on Linux, a file.
enum DeviceInstallation {
    static func store(keychainGroup: String?, folder: URL) -> any InstallationStore {
        #if canImport(Security)
            return KeychainInstallation(group: keychainGroup)
        #else
            return InstallationFile(in: folder)
        #endif
    }
}

#if canImport(Security)
    /// The installation in the Keychain, which outlives a removal of the app and never leaves the phone. It is readable
    /// from the first unlock on: `kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly`.
    struct KeychainInstallation: InstallationStore {
        private static let service = "Belfry"
        private static let account = "installation"

        let group: String?

        private var query: [CFString: Any] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: Self.service, kSecAttrAccount: Self.account,
            ]
            if let group { query[kSecAttrAccessGroup] = group }
            return query
        }

        func read() -> InstallationReading {
            var question = query
            question[kSecReturnData] = true
            question[kSecMatchLimit] = kSecMatchLimitOne
            var found: CFTypeRef?
            switch SecItemCopyMatching(question as CFDictionary, &found) {
            case errSecSuccess:
                guard let bytes = found as? Data, let text = String(data: bytes, encoding: .utf8), !text.isEmpty else {
                    return .locked
                }
                return .found(text)
            case errSecItemNotFound: return .absent
            // Before the first unlock, and for each other error: the old installation may still be there.
            default: return .locked
            }
        }

        func create(_ installation: String) -> Bool {
            var item = query
            item[kSecValueData] = Data(installation.utf8)
            item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            return SecItemAdd(item as CFDictionary, nil) == errSecSuccess
        }
    }
#endif
