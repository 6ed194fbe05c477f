public import Crypto
import FoundationEssentials

/// A secret that signs messages to a webhook, after the convention of Standard Webhooks.
public struct WebhookSecret: Sendable, Redacted {
    private let bytes: [UInt8]
    private let key: HMACKey

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        key = HMACKey(bytes)
    }

    /// As the receiver gets it.
    public var text: String { "whsec_" + Data(bytes).base64EncodedString() }

    /// One signature of the header webhook-signature. `seconds` is the header webhook-timestamp.
    public func signature(id: String, seconds: Int, body: String) -> String {
        "v1," + Data(key.tag(of: Array("\(id).\(seconds).\(body)".utf8))).base64EncodedString()
    }
}
