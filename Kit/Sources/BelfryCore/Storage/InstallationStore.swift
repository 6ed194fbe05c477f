import Foundation

/// Keeps the installation: a random secret that names this copy of the app. In an app it is the Keychain, which outlives
/// a removal of the app.
public protocol InstallationStore: Sendable {
    /// Called on any thread, once unless the answer is `.locked`.
    func read() -> InstallationReading
    /// Returns false if it could not be stored; then the installation must not be used.
    func create(_ installation: String) -> Bool
}

/// Only `absent` may lead to a new installation: a Keychain that is locked still holds the old one.
public enum InstallationReading: Sendable, Equatable {
    /// The installation of earlier launches.
    case found(String)
    /// There is none for certain, so a new one may be made.
    case absent
    /// The store can't be read now, as before the first unlock after a restart.
    case locked
}

extension InstallationStore {
    /// The installation, which is created if there is none; nil while the store is locked.
    func installation() -> String? {
        switch read() {
        case .found(let installation): return installation
        case .locked: return nil
        case .absent:
            let created = UUID().uuidString
            return create(created) ? created : nil
        }
    }
}

/// An installation in a file: for programs without a Keychain, like tests.
public struct InstallationFile: InstallationStore {
    private let stored: StoredValue<String>

    /// The file is made with the first installation.
    public init(in folder: URL) { stored = StoredValue("installation", in: folder) }

    public func read() -> InstallationReading {
        do {
            return try stored.read().map { .found($0) } ?? .absent
        } catch {
            return .locked
        }
    }

    public func create(_ installation: String) -> Bool { (try? stored.write(installation)) != nil }
}
