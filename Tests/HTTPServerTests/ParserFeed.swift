import HTTPTypes

@testable import HTTPServer

/// An event of the parser, with the body joined into one piece, because its division is arbitrary.
enum Parsed: Equatable {
    case head(RequestHead)
    case body(String)
    case end
    case refused(Int, String)
}

enum ParserFeed {
    static func whole(_ text: String, limits: RequestLimits = RequestLimits()) -> [Parsed] {
        feed([Array(text.utf8)], limits)
    }

    static func byteByByte(_ text: String, limits: RequestLimits = RequestLimits()) -> [Parsed] {
        feed(text.utf8.map { [$0] }, limits)
    }

    static func randomly(_ text: String, limits: RequestLimits = RequestLimits()) -> [Parsed] {
        var rest = Array(text.utf8)[...]
        var pieces: [[UInt8]] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...40))
            pieces.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        return feed(pieces, limits)
    }

    /// Takes bodies that have arrived completely as a whole, as a connection does.
    static func wholeBodies(_ text: String, limits: RequestLimits = RequestLimits()) -> [Parsed] {
        feed([Array(text.utf8)], limits, takesWholeBodies: true)
    }

    private static func feed(
        _ pieces: [[UInt8]], _ limits: RequestLimits, takesWholeBodies: Bool = false
    ) -> [Parsed] {
        var parser = RequestParser(limits: limits)
        var result: [Parsed] = []
        for piece in pieces {
            piece.withUnsafeBytes { parser.append($0) }
            while let event = parser.next() {
                switch event {
                case .head(let head):
                    result.append(.head(head))
                    if takesWholeBodies, let body = parser.takeWholeBody() {
                        result += [.body(String(decoding: body, as: UTF8.self)), .end]
                    }
                case .end: result.append(.end)
                case .refused(let error): result.append(.refused(error.status.code, error.code))
                case .body(let bytes):
                    let text = String(decoding: bytes, as: UTF8.self)
                    if case .body(let before) = result.last {
                        result[result.endIndex - 1] = .body(before + text)
                    } else {
                        result.append(.body(text))
                    }
                }
            }
        }
        return result
    }
}
