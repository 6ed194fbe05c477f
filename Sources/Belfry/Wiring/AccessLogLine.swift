import EventLoop
import Foundation
import HTTPServer

/// Writes a record of the access log as a line of JSON.
struct AccessLogLine {
    private var second: time_t = 0
    private var date = ""

    mutating func append(_ record: AccessRecord, to bytes: inout [UInt8]) {
        var now = timeval()
        gettimeofday(&now, nil)
        if now.tv_sec != second { (second, date) = (now.tv_sec, Self.date(now.tv_sec)) }
        let microseconds = record.duration.nanoseconds / 1_000
        bytes +=
            "{\"time\":\"\(date).\(Self.padded(Int64(now.tv_usec) / 1_000))Z\",\"method\":\"\(record.method)\"".utf8
        bytes += ",\"route\":".utf8
        Self.append(record.route, to: &bytes)
        bytes += ",\"status\":\(record.status)".utf8
        bytes += ",\"milliseconds\":\(microseconds / 1_000).\(Self.padded(microseconds % 1_000)),\"caller\":".utf8
        Self.append(record.caller, to: &bytes)
        bytes += ",\"client\":\"\(record.client.host)\",\"bytes\":\(record.bytes),\"request\":".utf8
        Self.append(record.requestID, to: &bytes)
        bytes += ",\"trace\":".utf8
        Self.append(record.trace, to: &bytes)
        bytes += "}\n".utf8
    }

    /// Patterns, key prefixes and ids need few escapes.
    private static func append(_ text: String?, to bytes: inout [UInt8]) {
        guard let text else {
            bytes += "null".utf8
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case ..<0x20: bytes.append(UInt8(ascii: "?"))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func padded(_ thousandths: Int64) -> String {
        thousandths < 10 ? "00\(thousandths)" : thousandths < 100 ? "0\(thousandths)" : "\(thousandths)"
    }

    /// "2026-11-23T17:20:00"
    private static func date(_ seconds: time_t) -> String {
        var seconds = seconds
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T"
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }
}
