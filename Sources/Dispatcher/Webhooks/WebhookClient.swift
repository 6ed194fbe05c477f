import Campaigns
public import EventLoop
import HTTPClient
import HTTPTypes
import JSON
import Store
public import TLS

/// Sends one message to a receiver, over a connection of its own. The address is checked and then connected to
/// directly, so that a second DNS lookup can't return a different one. Redirects are not followed, and of the answer
/// only the head is read.
struct WebhookClient: Sendable {
    /// Of an attempt, from the lookup of the name to the head of the answer.
    static let deadline = Duration.seconds(15)

    let loop: EventLoop
    let network: WebhookNetwork

    func send(_ claim: WebhookQueueStore.Claim, at seconds: Int) async -> WebhookAnswer {
        await withTaskGroup(of: WebhookAnswer?.self) { group in
            group.addTask { await post(claim, at: seconds) }
            group.addTask {
                do { try await loop.sleep(for: Self.deadline) } catch { return nil }
                return .none("The receiver did not answer within \(Self.deadline.components.seconds) seconds.")
            }
            let answer = await group.next() ?? nil
            group.cancelAll()
            return answer ?? .none("The attempt was cancelled.")
        }
    }

    private func post(_ claim: WebhookQueueStore.Claim, at seconds: Int) async -> WebhookAnswer {
        do throws(InvalidValue) {
            return await post(claim, to: try WebhookURL(claim.url, allowsPlain: network.allowsPrivate), at: seconds)
        } catch {
            return .none("The address \(error.message).")
        }
    }

    private func post(
        _ claim: WebhookQueueStore.Claim, to url: WebhookURL, at seconds: Int
    ) async -> WebhookAnswer {
        do {
            let addresses = try await NameResolver.system.addresses(of: url.host, port: url.port, on: loop)
            for address in addresses {
                guard let rule = network.refusal(of: address) else { continue }
                return .none(
                    "The receiver is at \(address.host), which is not public (\(rule)). "
                        + "Use a public address, or allow others with BELFRY_WEBHOOKS_PRIVATE_ADDRESSES.")
            }
            let connection = try await HTTPClientConnection.connect(
                toFirstOf: addresses, host: url.host, on: loop,
                tls: url.isSecure ? try TLSContext.client(trust: network.trust) : nil)
            do {
                let (head, _) = try await connection.stream(
                    .post, url.path, headers: try headers(of: claim, at: seconds), body: Array(claim.body.utf8),
                    deadline: Self.deadline)
                await connection.close()
                return .status(head.status.code, retryAfter: head.headerFields[.retryAfter].flatMap { Int($0) })
            } catch {
                await connection.close()
                throw error
            }
        } catch {
            return .none("No answer: \(error).")
        }
    }

    private func headers(of claim: WebhookQueueStore.Claim, at seconds: Int) throws -> HTTPFields {
        let id = claim.headerID
        let signatures = claim.secrets.map { $0.signature(id: id, seconds: seconds, body: claim.body) }
        var headers: HTTPFields = [.contentType: "application/json", .userAgent: "Belfry"]
        for (name, value) in [
            ("webhook-id", id), ("webhook-timestamp", "\(seconds)"),
            ("webhook-signature", signatures.joined(separator: " ")),
        ] {
            guard let name = HTTPField.Name(name) else { continue }
            headers[name] = value
        }
        return headers
    }
}

/// The addresses that webhooks may be sent to, and the certificates that are trusted there.
public struct WebhookNetwork: Sendable {
    /// Also private addresses, and http://.
    let allowsPrivate: Bool
    let trust: TLSContext.Trust
    private let restriction: @Sendable (SocketAddress) -> String?

    /// `restriction` is the rule that says why an address is not public; nil for a public address.
    public init(
        allowsPrivate: Bool, trust: TLSContext.Trust = .systemRoots,
        restriction: @escaping @Sendable (SocketAddress) -> String?
    ) {
        self.allowsPrivate = allowsPrivate
        self.trust = trust
        self.restriction = restriction
    }

    func refusal(of address: SocketAddress) -> String? { allowsPrivate ? nil : restriction(address) }
}
