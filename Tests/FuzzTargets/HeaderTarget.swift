import Campaigns
import EventLoop
import HTTPTypes
import Notifications

@testable import API
@testable import HTTPServer

/// Readers of header values and of texts in queries: what they accept is in range, and means the same after it is
/// written and read again.
enum HeaderTarget {
    static func check(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        try checkRange(text)
        try checkConditions(text)
        try checkNames(text)
        _ = AcceptEncoding.allowsGzip(text)
        _ = input.withUnsafeBytes { Host.isValid($0) }
    }

    private static func checkRange(_ text: String) throws {
        for size in [0, 1, 1_000, Int.max] {
            guard case .satisfiable(let range) = ByteRange(text, size: size) else { continue }
            try Disagreement.unless(
                !range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size, "\(range) of \(size) bytes")
        }
    }

    /// If-Match, If-None-Match, If-Range, Idempotency-Key, and the prefix of an Authorization.
    private static func checkConditions(_ text: String) throws {
        var headers: HTTPFields = [:]
        let names = ["If-Match", "If-None-Match", "If-Range", "Idempotency-Key"].compactMap { HTTPField.Name($0) }
        for name in names { headers[name] = text }
        _ = Precondition.isUnchanged(headers, tag: "\"3-a\"", modified: "Thu, 01 Jan 1970 00:00:00 GMT")
        _ = Precondition.ifRangeMatches(headers, tag: "\"3-a\"", modified: nil)
        guard let loop, let request = try? Request(.get, "/", headers: headers, on: loop) else { return }
        if case .version(let version)? = try? IfMatch(request) {
            headers[.ifMatch] = "\"\(version)\""
            let again = try IfMatch(try Request(.get, "/", headers: headers, on: loop))
            try Disagreement.unless(again == .version(version), "If-Match: \(version)")
        }
        if let key = try? IdempotencyKey(request, of: .apiKey(1), body: []) {
            try Disagreement.unless(1...IdempotencyKey.maximumLength ~= key.text.utf8.count, "a key of \(key.text)")
        }
    }

    /// A request names its loop. Nothing runs on it here.
    private static let loop = try? EventLoop(name: "fuzz")

    private static func checkNames(_ text: String) throws {
        if let instant = Instant(rfc3339: text) {
            let again = Instant(rfc3339: instant.rfc3339)
            let milliseconds = Int64((Double(instant.microseconds) / 1_000).rounded(.down))
            try Disagreement.unless(again?.microseconds == milliseconds * 1_000, "\(instant.rfc3339)")
        }
        if let tag = try? LocaleTag(text) {
            try Disagreement.unless((try? LocaleTag(tag.text)) == tag, "locale \(tag)")
            try Disagreement.unless(tag.locale.best(among: [tag]) == tag, "\(tag) does not serve \(tag.locale)")
        }
    }
}
