import Administration
import Application
import Campaigns
import EventLoop
import HTTPServer
import HTTPTypes
import JSON
import Postgres
import Store

/// Signing in and out, and a person's own sessions.
struct SessionRoutes: RouteGroup {
    let sessions: SessionStore
    let known: KnownSessions
    let signIn: SignIn
    let audit: AuditStore
    let refused: RefusedSignIns
    let site: Site

    func add(to routes: inout Routes) {
        routes.addOpen(.post, "/v1/session", bodyLimit: Routes.defaultBodyLimit) { [self] request in
            try site.crossSiteCheck.check(request, token: nil)
            var body = try await ObjectReader(request)
            if body.has("link") {
                let link = body.text("link", length: 1...SignInForm.maximumLinkLength)
                try body.finish()
                return try await response(to: signIn.withLink(link ?? "", from: site.origin(of: request)), request)
            }
            body.require("email", "password")
            let email = body.value("email") { (text) throws(InvalidValue) in try EmailAddress(text) }
            let password = body.text("password", length: 1...PasswordRules.maximumLength, as: .any)
            try body.finish()
            guard let email, let password else { throw APIError(problems: []) }
            return try await response(
                to: signIn.withPassword(password, email, from: site.origin(of: request)), request)
        }
        routes.add(.get, "/v1/session", for: .person) { [site] call in
            let (signedIn, token) = try call.person
            return .json(signedIn.json(token, at: site))
        }
        routes.add(.delete, "/v1/session", for: .person, audit: .afterwards) { [self] call in
            try await ObjectReader.refuseBody(call.request)
            let (signedIn, _) = try call.person
            try await sessions.end(signedIn.session.id, of: signedIn.user.id)
            known.forget()
            var response = Response.noContent
            response.headers[.setCookie] = SessionCookie.removal(isSecure: site.isSecure(call.request))
            return response
        }
        routes.add(.get, "/v1/sessions", for: .person, query: Paging.parameters) { [sessions] call in
            let page: Page<Session.ID> = try Paging.page(call.request)
            let (signedIn, _) = try call.person
            let list = try await sessions.list(
                of: signedIn.user.id, idleLimit: KnownSessions.idleLimit, before: page.cursor, limit: page.limit)
            return Paging.response(list, page, id: \.id) { $0.json(current: signedIn.session.id) }
        }
        routes.add(.delete, "/v1/sessions/{session}", for: .person, audit: .afterwards) { [sessions, known] call in
            try await ObjectReader.refuseBody(call.request)
            try await sessions.end(call.id("session", .session), of: call.person.0.user.id)
            known.forget()
            return .noContent
        }
    }

    private func response(to answer: SignIn.Answer, _ request: Request) async throws -> Response {
        known.forget()
        switch answer {
        case .signedIn(let signedIn, _): try await audit.record("session.create", by: signedIn, request)
        case .refused(let user): try await refused.record(user, request)
        case .wait: break
        }
        return try answer.response(to: request, at: site)
    }
}

extension SignIn.Answer {
    /// The new session with its cookie, or the refusal, which says nothing about the account.
    func response(to request: Request, at site: Site) throws(APIError) -> Response {
        switch self {
        case .signedIn(let signedIn, let token):
            var response = Response.json(signedIn.json(token, at: site))
            response.headers[.setCookie] = SessionCookie.field(token, isSecure: site.isSecure(request))
            response.headers[.cacheControl] = "no-store"
            return response
        case .refused:
            throw .wrongCredentials
        case .wait(let delay): throw .tooManyAttempts(retryAfter: delay)
        }
    }
}

extension Call {
    /// The signed-in person, on a route for people.
    var person: (SignedInUser, SessionToken) {
        get throws(APIError) {
            guard case .person(let signedIn, let token) = caller else {
                throw .signInRequired
            }
            return (signedIn, token)
        }
    }
}

extension SignedInUser {
    /// The person who is signed in and the rights of this person, so that a page offers nothing that would be refused.
    func json(_ token: SessionToken, at site: Site) -> JSON {
        [
            "id": .id(session.id), "expires_at": .time(session.expiresAt),
            "user": [
                "id": .id(user.id), "email": .string(user.email.text), "name": .string(user.name),
                "roles": .array(user.roles.map(\.json)),
            ],
            "permissions": user.grants.json, "destination": .string(site.destination.rawValue),
            "has_virtual_phones": .bool(site.hasVirtualPhones),
            "cross_site_token": .string(token.crossSiteToken),
        ]
    }
}

extension Grants {
    fileprivate var json: JSON {
        [
            "all_apps": .array(Self.names(everywhere ?? [])),
            "apps": .array(
                inApps.keys.sorted().map { app in
                    ["app_id": .id(app), "permissions": .array(Self.names(permissions(in: app)))]
                }),
        ]
    }

    private static func names(_ permissions: Set<Permission>) -> [JSON] {
        permissions.map(\.rawValue).sorted().map { .string($0) }
    }
}

extension SessionRecord {
    fileprivate func json(current: Session.ID) -> JSON {
        [
            "id": .id(id), "is_current": .bool(id == current), "address": .string(address),
            "user_agent": .string(userAgent), "created_at": .time(createdAt), "last_used_at": .time(lastUsedAt),
            "expires_at": .time(expiresAt),
        ]
    }
}
