/// The rights of a registration beyond confirming and changing stored values.
/// Docs/decisions/registration.md explains why limits are enforced where a registration is stored.
public struct RegistrationRights: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Register an installation that is not known.
    public static let newInstallation = RegistrationRights(rawValue: 1)
    /// Give an installation a token that it does not have, whether another one has it or not.
    public static let newToken = RegistrationRights(rawValue: 2)
    public static let all: RegistrationRights = [.newInstallation, .newToken]
}
