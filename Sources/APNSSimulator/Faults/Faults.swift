/// The faults to inject, with their conditions and scopes. May be replaced while the simulator runs.
public struct Faults: Sendable, Equatable {
    /// The rules, evaluated in order. Delays add up; of the other faults the first that applies is used.
    public var rules: [Rule]
    public var environmentReason = EnvironmentReason.documented

    public init(_ rules: [Rule] = []) { self.rules = rules }

    public static let none = Faults()

    /// The spelling of the reason for a key of the other environment.
    public enum EnvironmentReason: String, Sendable {
        case documented = "BadEnvironmentKeyIdInToken"
        /// Observed on the wire.
        case observed = "BadEnvironmentKeyInToken"
    }

    public struct Rule: Sendable, Equatable {
        public var fault: Fault
        public var condition: Condition
        public var scope: Scope

        public init(_ fault: Fault, _ condition: Condition = .always, for scope: Scope = .everyone) {
            self.fault = fault
            self.condition = condition
            self.scope = scope
        }
    }

    /// When a rule applies. Requests in the rule's scope are counted over all connections of a listener.
    public enum Condition: Sendable, Equatable {
        case always
        /// 0 to 1.
        case rate(Double)
        case first(Int)
        /// Only the nth, from 1.
        case nth(Int)
        case every(Int)
        /// All requests in a range of numbers, from 1.
        case range(ClosedRange<Int>)
    }

    public enum Scope: Sendable, Equatable {
        case everyone
        case hashes(Set<UInt64>)

        /// Only pushes to these device tokens.
        public static func tokens(_ tokens: some Sequence<[UInt8]>) -> Scope {
            .hashes(Set(tokens.map { Hash64.of($0) }))
        }
    }
}
