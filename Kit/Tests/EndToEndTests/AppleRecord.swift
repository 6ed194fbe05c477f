import BelfryCore
import Foundation
import Testing

/// What arrived on the phones, from the output of `belfry simulate --show`.
struct AppleRecord {
    /// The payloads of accepted pushes by the first digits of the token.
    let pushes: [String: [Push]]

    private static let beginning = "  200  to "

    /// Waits until Apple has accepted so many pushes since its start.
    static func of(_ apple: ServerProcess, count: Int) async throws -> AppleRecord {
        try parsed(
            try await apple.output {
                $0.components(separatedBy: "\n" + beginning).count > count && $0.hasSuffix("}\n")
            })
    }

    /// Blocks are divided by empty lines: the answer and the token's beginning, headers, and the payload on many lines.
    private static func parsed(_ output: String) throws -> AppleRecord {
        var pushes: [String: [Push]] = [:]
        for block in output.components(separatedBy: "\n\n") {
            let lines = block.split(separator: "\n")
            guard let first = lines.first, first.hasPrefix(beginning) else { continue }
            let payload = lines.drop { !$0.hasPrefix("    {") }.joined(separator: "\n")
            let members = try #require(JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any])
            let token = String(first.dropFirst(beginning.count).prefix(8))
            pushes[token, default: []].append(Push(userInfo: members))
        }
        return AppleRecord(pushes: pushes)
    }
}
