import EventLoop
import Foundation
import Testing

@testable import EchoServer
@testable import HTTPServer

/// The way in which the server alone handles requests that two servers might divide differently.
/// `Scripts/checks/smuggling` sends the same cases through nginx.
struct SmugglingTests {
    /// A row of SmugglingCases.json.
    struct Case: Decodable, CustomTestStringConvertible {
        let name: String
        /// A character per byte; `…` stands for `padding` letters.
        let send: String
        let padding: Int?
        /// The requests that the handler sees, as `METHOD TARGET` or `METHOD TARGET BODY`.
        let accepts: [String]?
        /// The code of the error that the next bytes are answered with before the connection is closed.
        let refuses: String?
        /// Whether the connection is closed although nothing is refused.
        let closes: Bool?

        var testDescription: String { name }

        var bytes: [UInt8] {
            send.unicodeScalars.flatMap { scalar in
                scalar == "…" ? [UInt8](repeating: UInt8(ascii: "a"), count: padding ?? 0) : [UInt8(scalar.value)]
            }
        }

        static let all: [Case] = {
            guard let file = Bundle.module.url(forResource: "SmugglingCases", withExtension: "json"),
                let data = try? Data(contentsOf: file)
            else { return [] }
            return (try? JSONDecoder().decode([Case].self, from: data)) ?? []
        }()
    }

    /// Sent after every case: it must be answered unless the connection is to be closed.
    private static let next = "GET /after HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

    @Test func everyCaseIsDividedAsTheTableSays() async throws {
        try #require(Case.all.count >= 250)
        try await LiveServer.run(Echo.router()) { live in
            for row in Case.all {
                let raw = try await RawConnection(to: live.address, on: live.loop)
                defer { raw.close() }
                try await raw.write(row.bytes + Array(Self.next.utf8))
                raw.shutdownWriting()
                let answers = Self.answers(in: try await raw.readToEnd())
                var expected = row.accepts ?? []
                if let refuses = row.refuses {
                    expected.append("refused \(refuses)")
                } else if row.closes != true {
                    expected.append("GET /after")
                }
                #expect(answers == expected, "\(row.name)")
            }
        }
    }

    /// The field of each answer that says what the server saw, in order.
    private static func answers(in text: String) -> [String] {
        text.components(separatedBy: "\r\n").compactMap { line in
            if line.hasPrefix("Seen: ") { return String(line.dropFirst("Seen: ".count)) }
            if line.hasPrefix("Refused: ") { return "refused " + line.dropFirst("Refused: ".count) }
            return nil
        }
    }
}
