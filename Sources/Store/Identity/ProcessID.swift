public import FoundationEssentials
public import Postgres

/// Identifies the owner of a lease: one process, from its start to its end. It is random, so that it is unique.
public struct ProcessID: RawRepresentable, Hashable, Sendable, PostgresEncodable, PostgresDecodable {
    public let rawValue: UUID

    public init(rawValue: UUID = UUID()) {
        self.rawValue = rawValue
    }
}
