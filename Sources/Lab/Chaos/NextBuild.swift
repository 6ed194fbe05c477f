import Belfry
import Foundation

/// A made-up next version of Belfry: a folder with this version's files and further migrations, one of each kind. A
/// program that is started there has the newer schema. It stands for a real upgrade until there is one.
struct NextBuild {
    /// A column is added to these, while a campaign uses them.
    private static let tables = ["devices", "batches", "runs", "campaigns", "apps"]

    let folder: String
    /// The number of this version's migrations.
    let present: Int
    /// The number of migrations that programs of this version survive.
    var compatible: Int { present + Self.tables.count + 2 }

    /// Copies this version's folders.
    init(in folder: String) throws {
        self.folder = folder
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["Migrations", "Public"] {
            try files.copyItem(atPath: Resources.directory(name), toPath: "\(folder)/\(name)")
        }
        present = try files.contentsOfDirectory(atPath: "\(folder)/Migrations").count { $0.hasSuffix(".sql") }
        for (index, migration) in migrations.enumerated() {
            let number = "\(present + index + 1)".leftPadded(to: 4).replacing(" ", with: "0")
            try TextFile.write(migration, to: "\(folder)/Migrations/\(number)_made_up.sql")
        }
    }

    private var migrations: [String] {
        Self.tables.map { "ALTER TABLE \($0) ADD COLUMN of_next_build int NOT NULL DEFAULT 0" } + [
            """
            -- belfry: index devices_of_next_build
            CREATE INDEX CONCURRENTLY devices_of_next_build ON devices (app_id, of_next_build)
            """,
            """
            -- belfry: steps
            UPDATE devices SET of_next_build = 1 WHERE (app_id, id) IN (
                SELECT app_id, id FROM devices WHERE of_next_build = 0 AND id % 20 = 0 ORDER BY app_id, id LIMIT 2000)
            """,
            """
            -- belfry: contract \(present + 1)
            ALTER TABLE campaigns DROP COLUMN of_next_build
            """,
        ]
    }
}
