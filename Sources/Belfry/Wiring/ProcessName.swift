import ArgumentParser
import Configuration
import Glibc
import Postgres
import Store

/// The names of this process: in the list of processes, and in PostgreSQL's list of sessions.
struct ProcessName: Hashable, Sendable {
    /// PostgreSQL cuts the name of a session after this many bytes.
    private static let maximumSession = 63

    var name: String
    /// Nil for a command that does its work and ends.
    var kind: ProcessKind?

    /// The name of the host without one of its own.
    init(_ name: String? = nil) {
        self.name = name ?? Self.valid(Self.host)
    }

    /// The process in the list.
    func identity(_ kind: ProcessKind, _ program: ProgramSchema) -> ProcessIdentity {
        ProcessIdentity(
            kind: kind, name: name, host: Self.host, version: Belfry.configuration.version, pid: getpid(),
            schema: program.number)
    }

    /// The `application_name` of a session, such as "belfry work web-1 work-0". Of a long name the end is left out, never
    /// the part.
    func session(_ part: String) -> String {
        let (start, end) = ("belfry \(kind?.rawValue ?? "command") ", part.isEmpty ? "" : " \(part)")
        return start + name.prefix(Self.maximumSession - start.utf8.count - end.utf8.count) + end
    }

    static let host: String = {
        var bytes = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "unknown" }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }()

    static func checked(_ name: String) throws -> String {
        guard (1...ProcessIdentity.maximumName).contains(name.utf8.count), name == valid(name) else {
            throw ValidationError(
                """
                The name of the process "\(name.printable)" must have 1 to \(ProcessIdentity.maximumName) characters: \
                letters from A to Z, digits, and . - _
                """)
        }
        return name
    }

    /// One word of ASCII, as host names are: names are parts of the names of sessions.
    private static func valid(_ name: String) -> String {
        let characters = name.prefix(ProcessIdentity.maximumName).map { character in
            character.isASCII && (character.isLetter || character.isNumber) || "._-".contains(character)
                ? character : "-"
        }
        return characters.isEmpty ? "unknown" : String(characters)
    }
}
