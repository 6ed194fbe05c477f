import BelfryCore

/// An installation in memory, or one that can't be read, as before the first unlock.
public final class MemoryInstallation: InstallationStore {
    private let kept: Guarded<InstallationReading>

    /// `reading` is what the Keychain would say.
    public init(_ reading: InstallationReading = .absent) { kept = Guarded(reading) }

    public func read() -> InstallationReading { kept.withLock { $0 } }

    public func create(_ installation: String) -> Bool {
        set(.found(installation))
        return true
    }

    /// Replaces what `read` returns, as an unlock does.
    public func set(_ reading: InstallationReading) { kept.withLock { $0 = reading } }
}
