import HTTPTypes

@testable import HTTPServer

/// The parser's events must not depend on how the bytes are split, a body must have the declared length, and a request
/// that was accepted must still be the same request when it is written again.
enum RequestTarget {
    private enum Event: Equatable {
        case head(RequestHead)
        /// All adjacent parts together, because their division is arbitrary.
        case body([UInt8])
        case end
        case refused(status: Int, code: String)
    }

    /// Limits that short inputs reach.
    private static let narrowLimits = {
        var limits = RequestLimits()
        limits.requestLineBytes = 48
        limits.headerBytes = 96
        limits.headerFields = 4
        limits.chunkLineBytes = 12
        limits.trailerBytes = 24
        return limits
    }()

    static func check(_ input: [UInt8]) throws {
        for limits in [RequestLimits(), narrowLimits] {
            let whole = events([input[...]], limits)
            for pieces in Splits.all(input) {
                let split = events(pieces, limits)
                try Disagreement.unless(split == whole, "split: \(split)\nwhole: \(whole)")
            }
            let taken = events([input[...]], limits, takesWholeBodies: true)
            try Disagreement.unless(taken == whole, "whole bodies: \(taken)\nin parts: \(whole)")
            try checkFraming(whole)
        }
    }

    private static func events(
        _ pieces: [ArraySlice<UInt8>], _ limits: RequestLimits, takesWholeBodies: Bool = false
    ) -> [Event] {
        var parser = RequestParser(limits: limits)
        var events: [Event] = []
        for piece in pieces {
            piece.withUnsafeBytes { parser.append($0) }
            while let event = parser.next() {
                switch event {
                case .head(let head):
                    events.append(.head(head))
                    if takesWholeBodies, let body = parser.takeWholeBody() { events += [.body(body), .end] }
                case .body(let bytes):
                    if case .body(let before)? = events.last {
                        events[events.count - 1] = .body(before + bytes)
                    } else {
                        events.append(.body(bytes))
                    }
                case .end: events.append(.end)
                case .refused(let error): events.append(.refused(status: error.status.code, code: error.code))
                }
            }
            parser.trim()
        }
        return events
    }

    private static func checkFraming(_ events: [Event]) throws {
        var head: RequestHead?
        var bodyBytes = 0
        for event in events {
            switch event {
            case .head(let next):
                try Disagreement.unless(head == nil, "a head inside a request")
                try checkRewritten(next)
                head = next
                bodyBytes = 0
            case .body(let bytes):
                bodyBytes += bytes.count
            case .end:
                try Disagreement.unless(head != nil, "an end without a head")
                switch head?.framing {
                case .length(let length):
                    try Disagreement.unless(bodyBytes == length, "\(bodyBytes) of \(length) bytes")
                case .none?: try Disagreement.unless(bodyBytes == 0, "a body of \(bodyBytes) bytes without framing")
                case .chunked, nil: break
                }
                head = nil
            case .refused(let status, _):
                try Disagreement.unless([400, 413, 414, 417, 431, 501, 505].contains(status), "refused with \(status)")
                try Disagreement.unless(event == events.last, "an event after a refusal")
            }
        }
    }

    /// Parses what the fields say, written again. A line break or another separator that got into a value would show.
    private static func checkRewritten(_ head: RequestHead) throws {
        let request = head.request
        var text = "\(request.method.rawValue) \(request.path ?? "") HTTP/1.\(head.isVersion10 ? 0 : 1)\r\n"
        if let authority = request.authority { text += "Host: \(authority)\r\n" }
        var bytes = Array(text.utf8)
        for field in request.headerFields {
            bytes += Array(field.name.rawName.utf8) + Array(": ".utf8)
            field.withUnsafeBytesOfValue { bytes += $0 }
            bytes += Array("\r\n".utf8)
        }
        var limits = RequestLimits()
        // An authority may move from the request line to a Host field.
        limits.headerBytes += limits.requestLineBytes
        limits.headerFields += 1
        let again = events([bytes[...] + Array("\r\n".utf8)], limits).first
        try Disagreement.unless(
            again == .head(head), "read: \(head)\nread again: \(again.map { "\($0)" } ?? "nothing")")
    }
}
