import Campaigns
import EventLoop
import JSON
import Store

/// How far an import has come.
struct RunningImport: Equatable, Sendable {
    /// The bytes of the file that were read.
    var bytes = 0
    var lines = 0
    var stored = 0
    var refused = 0
    var leftOut = 0

    var json: JSON {
        [
            "is_running": true, "bytes_read": .count(bytes), "lines": .count(lines), "stored": .count(stored),
            "failed": .count(refused),
            "left_out": .count(leftOut),
        ]
    }
}

/// The imports that run in this process, by the names that their clients gave them. The answer of an import comes at its
/// end; until then a client asks here what is stored.
final class ImportsInProgress: Sendable {
    /// Further imports run without being listed.
    static let maximumCount = 1_000

    struct Name: Hashable, Sendable {
        static let maximumLength = 64

        let app: App.ID
        let text: String

        /// Nil unless the text is 1 to 64 visible ASCII characters.
        init?(_ text: String, of app: App.ID) {
            guard 1...Self.maximumLength ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                return nil
            }
            self.app = app
            self.text = text
        }
    }

    private let imports = Lock<[Name: RunningImport]>([:])

    func set(_ progress: RunningImport, of name: Name) {
        imports.withLock { imports in
            guard imports[name] != nil || imports.count < Self.maximumCount else { return }
            imports[name] = progress
        }
    }

    func remove(_ name: Name) { imports.withLock { $0[name] = nil } }

    subscript(name: Name) -> RunningImport? { imports.withLock { $0[name] } }
}
