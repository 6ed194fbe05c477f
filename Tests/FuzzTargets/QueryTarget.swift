@testable import HTTPServer

/// A decoded query means the same after it is encoded and decoded again.
enum QueryTarget {
    static func check(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        for plusIsSpace in [false, true] {
            guard let decoded = PercentEncoding.decode(text[...], plusIsSpace: plusIsSpace) else { continue }
            let again = PercentEncoding.decode(encoded(decoded)[...], plusIsSpace: plusIsSpace)
            try Disagreement.unless(again.map { Array($0.utf8) } == Array(decoded.utf8), "decoded: \(decoded)")
        }
        guard let query = QueryItems(text[...]) else { return }
        let written = query.items.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
        guard let again = QueryItems(written[...]) else { throw Disagreement(description: "refused again: \(written)") }
        let isSame = again.items.elementsEqual(query.items) {
            $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.utf8.elementsEqual($1.value.utf8)
        }
        try Disagreement.unless(isSame, "read: \(query.items)\nread again: \(again.items)")
    }

    /// Each byte as an escape.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789aBCDeF")
        return String(text.utf8.flatMap { ["%", digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
