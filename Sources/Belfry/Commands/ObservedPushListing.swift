import APNSSimulator
import JSON
import Notifications

/// The text that `belfry simulate --show` prints for a push.
struct ObservedPushListing {
    let push: ObservedPush

    /// Several lines, after an empty one.
    var text: String {
        let answer = push.status.map(String.init) ?? "no answer"
        var lines = [
            "  \(answer)\(push.reason.map { " \($0)" } ?? "")  to \(push.tokenStart)…, \(push.payloadSize) bytes"
        ]
        lines += push.headers.map { header in
            "    \(header.name.padded(to: Self.nameWidth))\(header.value)"
        }
        if push.flags != [] { lines.append("    \("noticed".padded(to: Self.nameWidth))\(push.flags)") }
        return "\n" + lines.joined(separator: "\n") + "\n    \(payload)"
    }

    private static let nameWidth = 18

    private var payload: String {
        do throws(JSON.SyntaxError) {
            return try JSON(parsing: push.payload).lines(indent: "    ")
        } catch {
            return String(decoding: push.payload, as: UTF8.self)
        }
    }
}
