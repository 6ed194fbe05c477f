import ArgumentParser

/// The address of this server, as people and phones use it: scheme, host, perhaps a port and a path.
enum PublicURL {
    /// The address in the form in which browsers name its origin: scheme and host in lower case, without the scheme's
    /// own port.
    static func checked(_ text: String) throws -> String {
        let parts = text.trimmed.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let standard = ports[parts[0].lowercased()],
            !text.trimmed.contains(where: { $0.isWhitespace || "?#@\\".contains($0) })
        else { throw refusal(text) }
        let end = parts[1].firstIndex(of: "/") ?? parts[1].endIndex
        var authority = parts[1][..<end].lowercased()
        if authority.hasSuffix(":\(standard)") { authority.removeLast(standard.count + 1) }
        guard isAuthority(authority) else { throw refusal(text) }
        return "\(parts[0].lowercased())://\(authority)\(parts[1][end...])"
    }

    private static let ports = ["https": "443", "http": "80"]

    /// A host, or one and a port; an address of IPv6 is in brackets.
    private static func isAuthority(_ text: String) -> Bool {
        let end = text.hasPrefix("[") ? text.firstIndex(of: "]") : nil
        let colon = text[(end ?? text.startIndex)...].firstIndex(of: ":")
        let host = text[..<(colon ?? text.endIndex)]
        if let colon, UInt16(text[text.index(after: colon)...]).map({ $0 > 0 }) != true { return false }
        return HostName.isOne(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : String(host))
    }

    private static func refusal(_ text: String) -> ValidationError {
        ValidationError(
            """
            The public URL "\(text)" must be https:// or http:// and a host, such as https://push.example.com; it can have \
            a port and a path, and no user, query or fragment.
            """)
    }
}
