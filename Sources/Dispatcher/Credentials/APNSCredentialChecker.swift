public import APNS
public import Campaigns
import Crypto
public import EventLoop
import JSON
public import Logging
public import Metrics
public import Notifications
public import Store

/// Asks Apple about a signing key with a push to a token that no device has. Apple checks the key first, so the answer
/// is "no such device" if the key is right, and otherwise says what is wrong with it.
public struct APNSCredentialChecker: Sendable {
    /// For connecting and sending; an answer may take the request deadline in addition. A person waits for the result.
    public static let timeout = Duration.seconds(15)
    private static let unusedToken = [UInt8](repeating: 0, count: 32)
    /// Should a device have the token after all, it shows nothing.
    private static let payload = Array(#"{"aps":{"content-available":1}}"#.utf8)

    private let endpoints: APNSEndpoints
    private let reasons = ReasonTable()
    private let options: APNSOptions
    private let timeout: Duration
    private let loop: EventLoop
    private let logger: Logger
    private let metrics: any MetricsFactory

    public init(
        endpoints: APNSEndpoints, options: APNSOptions = APNSOptions(),
        timeout: Duration = APNSCredentialChecker.timeout, loop: EventLoop, logger: Logger,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.endpoints = endpoints
        self.options = options
        self.timeout = timeout
        self.loop = loop
        self.logger = logger
        self.metrics = metrics
    }

    /// A finding for each of the draft's environments, production first.
    public func check(_ draft: CredentialDraft, for bundleID: BundleID) async -> [CredentialFinding] {
        // One provider token for both: Apple limits how often a key may have a new one.
        await check(
            draft, for: bundleID,
            with: LocalTokenSource(key: draft.key, keyID: draft.keyID, teamID: draft.teamID))
    }

    /// The same with a provider token that exists already.
    public func check(
        _ draft: CredentialDraft, for bundleID: BundleID, with token: ProviderToken
    ) async -> [CredentialFinding] {
        await check(draft, for: bundleID, with: GivenToken(token: token))
    }

    private func check(
        _ draft: CredentialDraft, for bundleID: BundleID, with tokens: any ProviderTokenSource
    ) async -> [CredentialFinding] {
        await loop.preferred { await checkOnLoop(draft, for: bundleID, with: tokens) }
    }

    private func checkOnLoop(
        _ draft: CredentialDraft, for bundleID: BundleID, with tokens: any ProviderTokenSource
    ) async -> [CredentialFinding] {
        async let production = check(.production, of: draft, bundleID, tokens)
        async let development = check(.development, of: draft, bundleID, tokens)
        return await [production, development].compactMap { $0 }
    }

    private func check(
        _ environment: PushEnvironment, of draft: CredentialDraft, _ bundleID: BundleID,
        _ tokens: any ProviderTokenSource
    ) async -> CredentialFinding? {
        guard draft.environments.contains(environment) else { return nil }
        let endpoint = endpoints[environment]
        let client: APNSClient
        do {
            client = try APNSClient(
                endpoint: endpoint, tokens: tokens, reasons: reasons, options: options, loop: loop, logger: logger,
                metrics: metrics)
        } catch {
            return CredentialFinding(
                environment: environment, outcome: .unknown, host: endpoint.host,
                meaning: "Connections to \(endpoint.host) can't be configured (\(verbatim: error)).",
                remedy: "Check this server's APNs settings.")
        }
        let window = window(bundleID)
        let ending = await client.send(window)
        await client.shutDown()
        if case .unavailable(let error) = ending {
            return CredentialFinding(
                environment: environment, outcome: .unknown, host: endpoint.host,
                meaning: "Connecting to \(endpoint.host) failed: \(error)",
                remedy: "Check that this server can reach that host.")
        }
        return CredentialFinding(window.results[0], reasons, environment, endpoint.host, bundleID)
    }

    private func window(_ bundleID: BundleID) -> PushWindow {
        let window = PushWindow()
        window.reset(
            headers: PushHeaders(
                bundleID: bundleID, pushType: .background, priority: .powerAware, expiration: 0, collapseID: nil))
        window.allow(until: .now() + timeout)
        Self.unusedToken.withUnsafeBytes { token in
            let (id, body) = window.beginPush(token: token)
            MessageID(messageNumber: 0, device: 0, tag: UInt64.random(in: 0...UInt64.max)).write(into: id)
            body.copyBytes(from: Self.payload)
            window.endPush(payloadLength: Self.payload.count)
        }
        return window
    }
}

/// A provider token that is not replaced.
private struct GivenToken: ProviderTokenSource {
    let token: ProviderToken

    func token() async throws -> ProviderToken { token }
    func replace(_ token: ProviderToken) async throws -> ProviderToken { token }
}

extension CredentialFinding {
    /// Apple's answer to the push to a token that no device has.
    init(
        _ result: PushResult, _ reasons: ReasonTable, _ environment: PushEnvironment, _ host: String,
        _ bundleID: BundleID
    ) {
        let outcome = Outcome(result)
        let isAnswered = result.state == .answered
        let (meaning, remedy): (Message, Message?) =
            switch (outcome, isAnswered) {
            case (.accepted, _): ("The key is valid, and it may send pushes for \(bundleID.text).", nil)
            case (_, true): (result.advice.meaning, result.advice.remedy)
            case (_, false): ("\(host) did not answer.", "Try again in a few minutes.")
            }
        self.init(
            environment: environment, outcome: outcome, host: host, status: isAnswered ? Int(result.status) : nil,
            reason: isAnswered && outcome != .accepted ? reasons.text(result.reason) : nil,
            meaning: meaning, remedy: remedy)
    }
}

extension CredentialFinding.Outcome {
    fileprivate init(_ result: PushResult) {
        guard result.state == .answered else {
            self = .unknown
            return
        }
        // A complaint about the token comes only after the key was found to be right, as Apple documents it.
        let isKnown = ReasonTable.reason(result.reason) != nil
        if result.isAccepted || (isKnown && result.reaction?.token != nil) {
            self = .accepted
        } else {
            self = result.reaction?.blamesCredential == true ? .rejected : .unknown
        }
    }
}
