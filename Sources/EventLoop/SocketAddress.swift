import CLinux
import Glibc

/// The address that a socket listens on or connects to: IPv4, IPv6 or unix.
public struct SocketAddress: Sendable, CustomStringConvertible {
    private var storage: sockaddr_storage
    let length: socklen_t

    /// `ip` is a numeric IPv4 or IPv6 address; a name has to be resolved first.
    public init?(ip: String, port: UInt16) {
        storage = sockaddr_storage()
        var four = sockaddr_in()
        var six = sockaddr_in6()
        if inet_pton(AF_INET, ip, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: four, as: sockaddr_in.self) }
        } else if inet_pton(AF_INET6, ip, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: six, as: sockaddr_in6.self) }
        } else {
            return nil
        }
    }

    /// Nil when the path does not fit: Linux has room for 107 bytes, none of them 0.
    public init?(unixPath: String) {
        storage = sockaddr_storage()
        var address = sockaddr_un()
        let path = Array(unixPath.utf8)
        guard 1..<MemoryLayout.size(ofValue: address.sun_path) ~= path.count, !path.contains(0) else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        length = socklen_t(MemoryLayout<sockaddr_un>.size)
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_un.self) }
    }

    /// 127.0.0.1
    public static func loopback(port: UInt16) -> SocketAddress {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        address.sin_port = port.bigEndian
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in.self) }
        return SocketAddress(storage: storage, length: socklen_t(MemoryLayout<sockaddr_in>.size))
    }

    init(storage: sockaddr_storage, length: socklen_t) {
        self.storage = storage
        self.length = length
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// Nil for a unix address.
    public var port: UInt16? {
        switch family {
        case AF_INET: withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.load(as: sockaddr_in.self).sin_port) }
        case AF_INET6: withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.load(as: sockaddr_in6.self).sin6_port) }
        default: nil
        }
    }

    /// The numeric host without its port, or the unix path. Equal for two clients of one machine.
    public var host: String {
        if family == AF_UNIX {
            return withUnsafeBytes(of: storage) { raw in
                String(decoding: raw.dropFirst(2).prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = withPointer { getnameinfo($0, $1, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) }
        guard status == 0 else { return "unknown" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    public var description: String {
        guard let port else { return "unix:\(host)" }
        return family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: storage) { body($0) }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}

/// A host name could not be resolved.
public struct ResolveError: Error, CustomStringConvertible {
    public let host: String
    public let reason: String

    public var description: String { "cannot resolve \(host): \(reason)" }
}

extension SocketAddress {
    /// Blocks until the C library's resolver has an answer; `NameResolver` calls it on a thread of its own.
    static func lookUp(_ host: String, _ port: UInt16) -> Result<[SocketAddress], ResolveError> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else {
            return .failure(ResolveError(host: host, reason: String(cString: gai_strerror(status))))
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var entry = list
        while let info = entry?.pointee {
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen)))
            }
            addresses.append(SocketAddress(storage: storage, length: info.ai_addrlen))
            entry = info.ai_next
        }
        return .success(addresses)
    }
}
