import API
import EventLoop
import HTTPClient
import HTTPTypes
import JSON
import Notifications
import TLS

/// Reads the first bytes of files on other servers, at public addresses only. Each address is checked and then
/// connected to directly, so that a second DNS lookup can't return a different one.
struct WebMediaProbe: MediaProbe {
    /// The deadline of a probe, including redirects.
    static let deadline = Duration.seconds(10)
    static let maximumRedirects = 3

    let loop: EventLoop
    var trust = TLSContext.Trust.systemRoots
    var restriction: @Sendable (SocketAddress) -> String? = PublicAddress.restriction(of:)

    func probe(at url: MediaURL) async -> MediaProbeResult {
        await loop.preferred { await probeOnLoop(url) }
    }

    private func probeOnLoop(_ url: MediaURL) async -> MediaProbeResult {
        await withTaskGroup(of: MediaProbeResult?.self) { group in
            group.addTask { await follow(url) }
            group.addTask {
                do { try await loop.sleep(for: Self.deadline) } catch { return nil }
                return .unreachable("no complete answer within \(Self.deadline.components.seconds) seconds")
            }
            let probe = await group.next() ?? nil
            group.cancelAll()
            return probe ?? .unreachable("the check was cancelled")
        }
    }

    private func follow(_ url: MediaURL) async -> MediaProbeResult {
        var url = url
        for _ in 0...Self.maximumRedirects {
            switch await fetch(url) {
            case .probe(let probe): return probe
            case .moved(let location):
                do throws(InvalidValue) {
                    url = try target(of: location, from: url)
                } catch {
                    return .unreachable("the target of its redirect \(error.message)")
                }
            }
        }
        return .unreachable("it redirects more than \(Self.maximumRedirects) times")
    }

    private enum Step {
        case probe(MediaProbeResult)
        case moved(String)
    }

    private func target(of location: String, from url: MediaURL) throws(InvalidValue) -> MediaURL {
        guard location.hasPrefix("/"), !location.hasPrefix("//") else { return try MediaURL(location) }
        let parts = MediaURLParts(url)
        return try MediaURL("https://\(parts.authority)\(location)")
    }

    private func fetch(_ url: MediaURL) async -> Step {
        let parts = MediaURLParts(url)
        do {
            let addresses = try await NameResolver.system.addresses(of: parts.host, port: parts.port ?? 443, on: loop)
            for address in addresses {
                if let rule = restriction(address) { return .probe(.forbidden(rule)) }
            }
            let connection = try await HTTPClientConnection.connect(
                toFirstOf: addresses, host: parts.host, on: loop, tls: try TLSContext.client(trust: trust))
            do {
                let step = try await ask(connection, parts.path)
                await connection.close()
                return step
            } catch {
                await connection.close()
                throw error
            }
        } catch {
            return .probe(.unreachable("\(error)"))
        }
    }

    private func ask(_ connection: HTTPClientConnection, _ path: String) async throws -> Step {
        let (head, body) = try await connection.stream(
            .get, path,
            headers: [.range: "bytes=0-\(MediaType.prefixSize - 1)", .accept: "*/*", .userAgent: "Belfry"])
        if head.status.kind == .redirection, let location = head.headerFields[.location] { return .moved(location) }
        guard head.status == .ok || head.status == .partialContent else {
            return .probe(.unreachable("it returned status \(head.status.code)"))
        }
        var prefix: [UInt8] = []
        for try await bytes in body {
            prefix += bytes.prefix(MediaType.prefixSize - prefix.count)
            if prefix.count == MediaType.prefixSize { break }
        }
        return .probe(.found(prefix: prefix, size: Self.size(head)))
    }

    /// The size after the slash of Content-Range, or the Content-Length of a whole answer.
    private static func size(_ head: HTTPResponse) -> Int? {
        guard head.status == .partialContent else { return head.headerFields[.contentLength].flatMap { Int($0) } }
        return head.headerFields[.contentRange]?.split(separator: "/").last.flatMap { Int($0) }
    }
}
