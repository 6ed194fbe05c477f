public import FoundationEssentials
public import Postgres

/// Who holds a lease: one process, from its start to its end. Random, so that no two ever share it.
public struct ProcessID: RawRepresentable, Hashable, Sendable, PostgresEncodable, PostgresDecodable {
    public let rawValue: UUID

    public init(rawValue: UUID = UUID()) {
        self.rawValue = rawValue
    }
}
