/// What goes wrong, when, and for whom. May be exchanged while the simulator runs.
public struct Faults: Sendable, Equatable {
    /// The rules are asked in order. Delays add up; otherwise the first that applies counts.
    public var rules: [Rule]
    public var environmentReason = EnvironmentReason.documented

    public init(_ rules: [Rule] = []) { self.rules = rules }

    public static let none = Faults()

    /// How the reason for a key of the other environment is spelled.
    public enum EnvironmentReason: String, Sendable {
        case documented = "BadEnvironmentKeyIdInToken"
        /// Seen on the wire.
        case observed = "BadEnvironmentKeyInToken"
    }

    public struct Rule: Sendable, Equatable {
        public var fault: Fault
        public var occasion: Occasion
        public var scope: Scope

        public init(_ fault: Fault, _ occasion: Occasion = .always, for scope: Scope = .everyone) {
            self.fault = fault
            self.occasion = occasion
            self.scope = scope
        }
    }

    /// Counted over all connections of a listener, among the requests in the rule's scope.
    public enum Occasion: Sendable, Equatable {
        case always
        /// 0 to 1.
        case rate(Double)
        case first(Int)
        /// Only the nth, from 1.
        case only(Int)
        case every(Int)
        /// A bad spell: all from one number to another, from 1.
        case within(ClosedRange<Int>)
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
