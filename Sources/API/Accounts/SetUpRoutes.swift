import Administration
import Application
import Campaigns
import HTTPServer
import HTTPTypes
import JSON
import Store

/// The first admin, and passwords.
struct SetUpRoutes: RouteGroup {
    let users: UserStore
    let known: KnownSessions
    let signIn: SignIn
    let audit: AuditStore
    let site: Site

    func add(to routes: inout Routes) {
        routes.addOpen(.get, "/v1/set-up") { [users] _ in
            .json(["is_needed": .bool(try await users.isEmpty())])
        }
        routes.addOpen(.post, "/v1/set-up", bodyLimit: Routes.defaultBodyLimit) { [self] request in
            try site.crossSiteCheck.check(request, token: nil)
            var body = try await ObjectReader(request)
            body.require("link", "email", "password")
            let link = body.text("link", length: 1...SignInForm.maximumLinkLength)
            let email = body.value("email") { (text) throws(InvalidValue) in try EmailAddress(text) }
            let name = body.text("name", length: 0...UserRecord.maximumNameLength)
            let password = body.string("password")
            if let email, let password { body.refuse(password, for: email, at: "password") }
            try body.finish()
            guard let link, let email, let password else { throw APIError(problems: []) }
            let answer = try await signIn.setUp(
                link, email: email, name: name ?? "", password: password, from: site.origin(of: request))
            return try await response(to: answer, "set-up.create", request)
        }
        routes.addOpen(.post, "/v1/password", bodyLimit: Routes.defaultBodyLimit) { [self] request in
            try site.crossSiteCheck.check(request, token: nil)
            var body = try await ObjectReader(request)
            body.require("link", "password")
            let link = body.text("link", length: 1...SignInForm.maximumLinkLength)
            let password = body.string("password")
            try body.finish()
            guard let link, let password else { throw APIError(problems: []) }
            let answer = try await signIn.choosePassword(link, password, from: site.origin(of: request)) { email in
                guard let problem = PasswordRules.problem(of: password, for: email) else { return }
                throw APIError(problems: [Problem(path: "password", code: problem.code, message: problem.message)])
            }
            return try await response(to: answer, "password.choose", request)
        }
        routes.add(.put, "/v1/password", for: .person, audit: .afterwards) { [self] call in
            let (signedIn, _) = try call.person
            var body = try await ObjectReader(call.request)
            body.require("current_password", "password")
            let current = body.string("current_password")
            let password = body.string("password")
            if let password { body.refuse(password, for: signedIn.user.email, at: "password") }
            try body.finish()
            guard let current, let password else { throw APIError(problems: []) }
            switch try await signIn.changePassword(
                of: signedIn, from: current, to: password, network: call.request.clientNetwork)
            {
            case .changed:
                known.forget()
                return .noContent
            case .wrongPassword:
                throw APIError.wrongPassword
            case .wait(let delay): throw APIError.tooManyAttempts(retryAfter: delay)
            }
        }
    }

    private func response(to answer: SignIn.Answer, _ action: String, _ request: Request) async throws -> Response {
        known.forget()
        if case .signedIn(let signedIn, _) = answer { try await audit.record(action, by: signedIn, request) }
        return try answer.response(to: request, at: site)
    }
}

enum SignInForm {
    /// Characters of a link's token.
    static let maximumLinkLength = 100
}

extension ObjectReader {
    /// Refuses a password that is not good enough for a new one.
    mutating func refuse(_ password: String, for email: EmailAddress, at key: String) {
        guard let problem = PasswordRules.problem(of: password, for: email) else { return }
        refuse(key, problem.code, problem.message)
    }
}
