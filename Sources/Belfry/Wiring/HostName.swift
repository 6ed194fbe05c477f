import ArgumentParser
import EventLoop

/// The name or address of a host, alone.
enum HostName {
    static func isOne(_ text: String) -> Bool {
        if SocketAddress(ip: text, port: 1) != nil { return true }
        return !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// The host of APNs.
    static func checked(_ text: String) throws -> String {
        guard isOne(text) else {
            throw ValidationError(
                """
                The host for APNs "\(text)" must be a name or an IP address alone, such as api.push.apple.com, without \
                https:// and without a port. The port is --apns-port or BELFRY_APNS_PORT.
                """)
        }
        return text
    }
}
