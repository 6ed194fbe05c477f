public import Administration
public import Campaigns
import EventLoop
import Postgres
public import Store

/// Signs people in, with a password or with a link that works once.
public struct SignIn: Sendable {
    /// The origin of an attempt.
    public struct Origin: Sendable {
        public let address: String
        /// The network under which the client's attempts are counted: all addresses that it can choose from.
        public let network: String
        public let userAgent: String
        /// The cookie that the browser already has.
        public let session: SessionToken?

        public init(address: String, network: String, userAgent: String, session: SessionToken?) {
            self.address = address
            self.network = network
            self.userAgent = userAgent
            self.session = session
        }
    }

    public enum Answer: Sendable {
        case signedIn(SignedInUser, SessionToken)
        /// The account does not exist, is disabled or has another password: nobody is told which. With the person, if
        /// there is one.
        case refused(User.ID?)
        /// Too many attempts; another is possible after this time.
        case wait(Duration)
    }

    /// The lifetime of the address that creates the first admin.
    public static let setUpLifetime = Duration.seconds(3_600)
    /// The lifetime of the address with which a person chooses a password.
    public static let passwordLinkLifetime = Duration.seconds(3 * 86_400)

    private let stores: Stores
    private let hasher: PasswordHasher
    private let throttle = Lock(SignInThrottle())

    public init(stores: Stores, hasher: PasswordHasher) {
        self.stores = stores
        self.hasher = hasher
    }

    public func withPassword(_ password: String, _ email: EmailAddress, from origin: Origin) async throws -> Answer {
        let entry = try await stores.passwords.entry(
            email, network: origin.network, session: origin.session?.hash)
        let attempt = SignInThrottle.Attempt(
            email: email.text, network: origin.network, isKnown: entry?.isKnown ?? false)
        let delay = throttle.withLock { $0.begin(attempt, at: .now()) }
        guard delay == .zero else { return .wait(delay) }
        guard try await hasher.verify(password, against: entry?.hash, isKnown: attempt.isKnown), let user = entry?.user
        else {
            return .refused(entry?.user)
        }
        throttle.withLock { $0.succeeded(attempt, at: .now()) }
        return try await open(user, origin)
    }

    public func withLink(_ token: String, from origin: Origin) async throws -> Answer {
        try await stores.pool.joiningTransaction {
            guard let user = try await stores.signInLinks.redeem(token, for: .signIn) else { return .refused(nil) }
            return try await open(user, origin)
        }
    }

    /// Creates the first admin and signs him or her in.
    public func setUp(
        _ token: String, email: EmailAddress, name: String, password: String, from origin: Origin
    ) async throws -> Answer {
        // Hashing is slow, so it must not happen for every caller.
        guard try await stores.signInLinks.isValid(token, for: .setUp) else { throw Refusal.linkIsInvalid }
        let hash = try await hasher.hash(password)
        return try await stores.pool.joiningTransaction {
            _ = try await stores.signInLinks.redeem(token, for: .setUp)
            let user = try await stores.users.createFirst(email, name: name, passwordHash: hash)
            return try await open(user.id, origin)
        }
    }

    /// Sets the password of the link's person, ends the person's sessions, and signs them in. `check` examines the
    /// password for this person, and throws if it is not good enough.
    public func choosePassword(
        _ token: String, _ password: String, from origin: Origin, check: (EmailAddress) throws -> Void
    ) async throws -> Answer {
        guard try await stores.signInLinks.isValid(token, for: .password) else { throw Refusal.linkIsInvalid }
        let hash = try await hasher.hash(password)
        return try await stores.pool.joiningTransaction {
            guard let user = try await stores.signInLinks.redeem(token, for: .password) else { return .refused(nil) }
            try check(try await stores.users.find(user).email)
            try await stores.passwords.set(hash, of: user)
            return try await open(user, origin)
        }
    }

    /// False when `current` is not the person's password. The person's other sessions end.
    public func changePassword(
        of signedIn: SignedInUser, from current: String, to new: String, network: String
    ) async throws -> PasswordChange {
        let attempt = SignInThrottle.Attempt(
            email: signedIn.user.email.text, network: network, isKnown: true)
        let delay = throttle.withLock { $0.begin(attempt, at: .now()) }
        guard delay == .zero else { return .wait(delay) }
        let hash = try await stores.passwords.hash(of: signedIn.user.id)
        guard try await hasher.verify(current, against: hash, isKnown: true) else { return .wrongPassword }
        throttle.withLock { $0.succeeded(attempt, at: .now()) }
        try await stores.passwords.set(
            try await hasher.hash(new), of: signedIn.user.id, keeping: signedIn.session.id)
        return .changed
    }

    public enum PasswordChange: Sendable {
        case changed, wrongPassword
        case wait(Duration)
    }

    private func open(_ user: User.ID, _ origin: Origin) async throws -> Answer {
        let token = try SessionToken.make()
        try await stores.passwords.remember(origin.network, of: user)
        let signedIn = try await stores.sessions.create(
            token.hash, of: user, address: origin.address, userAgent: origin.userAgent,
            lifetime: KnownSessions.lifetime)
        return .signedIn(signedIn, token)
    }
}
