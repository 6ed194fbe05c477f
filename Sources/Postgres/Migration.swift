/// A numbered SQL file that changes the schema.
public struct Migration: Hashable, Sendable {
    public let number: Int32
    public let name: String
    /// SHA-256 of the file, in hexadecimal.
    public let checksum: String
    public let kind: Kind
    let sql: String

    /// Says whether older programs can go on, and how the file is executed. The first line of a file names it,
    /// like "-- belfry: contract 14"; without such a line it is `expand`.
    public enum Kind: Hashable, Sendable {
        /// Programs of the schema before go on working: a new table, a column with a default. Runs in a transaction.
        case expand
        /// One CREATE INDEX CONCURRENTLY of the index with this name, outside a transaction, so that writes go on.
        case index(String)
        /// One statement that changes a limited number of rows. It is repeated, each time in a transaction of its own,
        /// until it changes none.
        case steps
        /// Takes away what programs below this schema need. Runs in a transaction, and only when they have ended.
        case contract(needs: Int32)

        var isContract: Bool {
            if case .contract = self { true } else { false }
        }
    }

    /// Programs of lower schemas fail once it is applied; nil: none do.
    public var oldestProgram: Int32? {
        if case .contract(let needs) = kind { needs } else { nil }
    }

    static let marker = "-- belfry: "

    init(number: Int32, name: String, checksum: String, sql: String) throws(MigrationError) {
        (self.number, self.name, self.checksum, self.sql) = (number, name, checksum, sql)
        kind = try Self.kind(of: sql, number)
    }

    private static func kind(of sql: String, _ number: Int32) throws(MigrationError) -> Kind {
        guard sql.hasPrefix(marker) else { return .expand }
        let line = sql.prefix { $0 != "\n" }.dropFirst(marker.count)
        let words = line.split(separator: " ")
        switch (words.first, words.dropFirst().first, words.count) {
        case ("expand", nil, 1): return .expand
        case ("steps", nil, 1): return .steps
        case ("index", let name?, 2): return .index(String(name))
        case ("contract", let text?, 2):
            // Its own program must be able to run with it, and a program that does not know it, too.
            guard let needs = Int32(text), needs >= 1, needs < number else { break }
            return .contract(needs: needs)
        default: break
        }
        throw .badKind(number, String(line))
    }
}
