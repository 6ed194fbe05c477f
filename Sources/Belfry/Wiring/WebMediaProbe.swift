import API
import EventLoop
import HTTPClient
import HTTPTypes
import JSON
import Notifications
import TLS

/// Looks at files elsewhere on the web, at most at the first bytes, and only at public addresses: each address is
/// checked and then connected to as it is, so that no second look-up of the name can lead elsewhere.
struct WebMediaProbe: MediaProbe {
    /// For everything, redirects included.
    static let deadline = Duration.seconds(10)
    static let maximumRedirects = 3

    let loop: EventLoop
    var trust = TLSContext.Trust.systemRoots
    var refusal: @Sendable (SocketAddress) -> String? = PublicAddress.refusal(of:)

    func look(at url: MediaURL) async -> MediaLook {
        await withTaskGroup(of: MediaLook?.self) { group in
            group.addTask { await follow(url) }
            group.addTask {
                do { try await loop.sleep(for: Self.deadline) } catch { return nil }
                return .unreachable("it took longer than \(Self.deadline.components.seconds) seconds")
            }
            let look = await group.next() ?? nil
            group.cancelAll()
            return look ?? .unreachable("the look was given up")
        }
    }

    private func follow(_ url: MediaURL) async -> MediaLook {
        var url = url
        for _ in 0...Self.maximumRedirects {
            switch await fetch(url) {
            case .look(let look): return look
            case .moved(let location):
                do throws(InvalidValue) {
                    url = try target(of: location, from: url)
                } catch {
                    return .unreachable("where it leads on to \(error.message)")
                }
            }
        }
        return .unreachable("it leads on more than \(Self.maximumRedirects) times")
    }

    private enum Step {
        case look(MediaLook)
        case moved(String)
    }

    private func target(of location: String, from url: MediaURL) throws(InvalidValue) -> MediaURL {
        guard location.hasPrefix("/"), !location.hasPrefix("//") else { return try MediaURL(location) }
        let place = WebPlace(url)
        return try MediaURL("https://\(place.authority)\(location)")
    }

    private func fetch(_ url: MediaURL) async -> Step {
        let place = WebPlace(url)
        guard let port = place.port else { return .look(.unreachable("its port is no number")) }
        do {
            let addresses = try await SocketAddress.resolve(host: place.host, port: port)
            for address in addresses {
                if let rule = refusal(address) { return .look(.forbidden(rule)) }
            }
            let connection = try await connect(to: addresses, as: place.host)
            do {
                let step = try await ask(connection, place.path)
                await connection.close()
                return step
            } catch {
                await connection.close()
                throw error
            }
        } catch {
            return .look(.unreachable("\(error)"))
        }
    }

    /// The first that lets us in.
    private func connect(to addresses: [SocketAddress], as host: String) async throws -> HTTPClientConnection {
        let tls = try TLSContext.client(trust: trust)
        var failure = HTTPClientError.shutDown
        for address in addresses {
            do throws(HTTPClientError) {
                return try await HTTPClientConnection.connect(to: address, host: host, on: loop, tls: tls)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func ask(_ connection: HTTPClientConnection, _ path: String) async throws -> Step {
        let (head, body) = try await connection.stream(
            .get, path,
            headers: [.range: "bytes=0-\(MediaType.prefixSize - 1)", .accept: "*/*", .userAgent: "Belfry"])
        if head.status.kind == .redirection, let location = head.headerFields[.location] { return .moved(location) }
        guard head.status == .ok || head.status == .partialContent else {
            return .look(.unreachable("it answers with status \(head.status.code)"))
        }
        var prefix: [UInt8] = []
        for try await bytes in body {
            prefix += bytes.prefix(MediaType.prefixSize - prefix.count)
            if prefix.count == MediaType.prefixSize { break }
        }
        return .look(.found(prefix: prefix, size: Self.size(head)))
    }

    /// What stands behind the slash of Content-Range, or the length of a whole answer.
    private static func size(_ head: HTTPResponse) -> Int? {
        guard head.status == .partialContent else { return head.headerFields[.contentLength].flatMap { Int($0) } }
        return head.headerFields[.contentRange]?.split(separator: "/").last.flatMap { Int($0) }
    }
}

/// The parts of an https address.
struct WebPlace: Equatable {
    let authority: String
    let host: String
    /// Nil for one that is none.
    let port: UInt16?
    /// With the query, without the fragment.
    let path: String

    init(_ url: MediaURL) {
        let rest = url.text.dropFirst("https://".count)
        let authority = rest.prefix { !"/?#".contains($0) }
        let target = rest.dropFirst(authority.count).prefix { $0 != "#" }
        self.authority = String(authority)
        path = target.hasPrefix("/") ? String(target) : "/\(target)"
        // An IPv6 address stands in brackets (RFC 3986 §3.2.2).
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = String(authority[authority.index(after: authority.startIndex)..<end])
            port = Self.port(authority[authority.index(after: end)...])
        } else {
            host = String(authority.prefix { $0 != ":" })
            port = Self.port(authority.dropFirst(host.count))
        }
    }

    private static func port(_ text: Substring) -> UInt16? {
        text.isEmpty || text == ":" ? 443 : UInt16(text.dropFirst())
    }
}
