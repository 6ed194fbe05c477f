import HTTPServer
import HTTPTypes

/// What a route declares: which requests it takes, and what answers them. `Pipeline` chooses its layers by this.
struct Route: Sendable {
    let method: HTTPRequest.Method
    let pattern: String
    /// The `RouteGroup` that declares it.
    let group: String
    let work: Work
    var query: [String] = []
    /// In bytes.
    let bodyLimit: Int
    var audit = AuditRule.never
    var takesIdempotencyKey = false
    var answerHoldsSecret = false
    /// Whether a route without credentials is one for devices.
    var isOpenToDevices = false

    enum Work: Sendable {
        /// Requires no credential.
        case open(RequestHandler)
        case forCallers(Access, CallHandler)
    }

    /// Nil for a route that requires no credential.
    var access: Access? {
        if case .forCallers(let access, _) = work { access } else { nil }
    }

    /// Whether publishable keys are accepted.
    var isForApps: Bool {
        if case .publishable? = access { true } else { false }
    }

    /// Whether the listener for devices has it: all that an app with a publishable key and its devices call.
    var isForDevices: Bool { isForApps || isOpenToDevices }

    /// Whether it belongs to the API, and not to monitoring, files or the API's description.
    var isVersioned: Bool { pattern.hasPrefix("/v1/") }

    /// For example "GET /v1/apps".
    var name: String { "\(method) \(pattern)" }
}
