/// Whether and how the audit log records the requests of a route.
struct AuditRule: Sendable {
    enum Mode: Sendable {
        case never
        /// In the transaction of the change, with what it changed.
        case withChange
        /// After the request has succeeded, for what is no single transaction.
        case afterwards
    }

    let people: Mode
    let keys: Mode

    /// Changes by anybody.
    static let changes = AuditRule(people: .withChange, keys: .withChange)
    /// Uploads, exports and what else is no single transaction.
    static let afterwards = AuditRule(people: .afterwards, keys: .afterwards)
    /// Requests that devices and servers send all day have records of their own; such a request by a person is an
    /// exception.
    static let people = AuditRule(people: .afterwards, keys: .never)
    /// Nothing is changed.
    static let never = AuditRule(people: .never, keys: .never)

    var isNever: Bool { people == .never && keys == .never }

    func mode(for caller: Caller) -> Mode {
        switch caller {
        case .key: keys
        case .person: people
        }
    }
}
