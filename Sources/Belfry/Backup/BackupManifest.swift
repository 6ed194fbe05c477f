import JSON
import Store

/// The content of `manifest.json`, which describes a backup. It names the keys that a restored system needs, but
/// contains none of them.
struct BackupManifest: Equatable {
    /// The version of the layout of a backup's directory.
    static let format = 1
    static let file = "manifest.json"

    let program: String
    let time: String
    let schema: Int
    /// The lowest number of migrations of a program that works with the schema.
    let oldestProgram: Int
    let database: String
    /// Bytes.
    let databaseSize: Int
    let serverVersion: String
    let majorVersion: Int
    /// IDs.
    let sealingKeys: [String]
    let credentials: [BackupStore.Credential]
    /// Roles of analysts.
    let roles: [String]
    var mediaFiles: Int
    let openRuns: Int
    let tables: [BackupStore.Count]

    var rows: Int { tables.map(\.rows).reduce(0, +) }

    var json: JSON {
        [
            "format": Self.number(Self.format), "program": .string(program), "time": .string(time),
            "schema": ["number": Self.number(schema), "oldest_program": Self.number(oldestProgram)],
            "database": [
                "name": .string(database), "bytes": Self.number(databaseSize), "postgresql": .string(serverVersion),
                "postgresql_major": Self.number(majorVersion),
            ],
            "sealing_keys": .array(sealingKeys.map { .string($0) }),
            "credentials": .array(
                credentials.map {
                    ["app": .string($0.app), "key_id": .string($0.keyID), "team_id": .string($0.teamID)]
                }),
            "analyst_roles": .array(roles.map { .string($0) }),
            "media_files": Self.number(mediaFiles), "open_runs": Self.number(openRuns),
            "rows": .object(tables.map { JSON.Member($0.table, Self.number($0.rows)) }),
        ]
    }

    private static func number(_ value: Int) -> JSON { .number(JSON.Number(value)) }
}

extension BackupManifest {
    init(reading text: [UInt8]) throws(CommandFailure) {
        let json: JSON
        do throws(JSON.SyntaxError) {
            json = try JSON(parsing: text)
        } catch {
            throw CommandFailure("\(Self.file) is damaged: \(error)")
        }
        func required<Value>(_ value: Value?, _ name: String) throws(CommandFailure) -> Value {
            guard let value else { throw CommandFailure("\(Self.file) is damaged: \(name) is missing") }
            return value
        }
        let format = try required(json["format"]?.int, "format")
        guard format <= Self.format else {
            throw CommandFailure(
                "The backup has the format \(format), and this program knows \(Self.format). Use a newer belfry.")
        }
        program = try required(json["program"]?.text, "program")
        time = try required(json["time"]?.text, "time")
        schema = try required(json["schema"]?["number"]?.int, "schema.number")
        oldestProgram = try required(json["schema"]?["oldest_program"]?.int, "schema.oldest_program")
        let server = try required(json["database"], "database")
        database = try required(server["name"]?.text, "database.name")
        databaseSize = try required(server["bytes"]?.int, "database.bytes")
        serverVersion = try required(server["postgresql"]?.text, "database.postgresql")
        majorVersion = try required(server["postgresql_major"]?.int, "database.postgresql_major")
        sealingKeys = try required(json["sealing_keys"], "sealing_keys").elements.compactMap(\.text)
        credentials = try required(json["credentials"], "credentials").elements.map { credential in
            BackupStore.Credential(
                app: credential["app"]?.text ?? "", keyID: credential["key_id"]?.text ?? "",
                teamID: credential["team_id"]?.text ?? "")
        }
        roles = try required(json["analyst_roles"], "analyst_roles").elements.compactMap(\.text)
        mediaFiles = try required(json["media_files"]?.int, "media_files")
        openRuns = try required(json["open_runs"]?.int, "open_runs")
        guard case .object(let members)? = json["rows"] else {
            throw CommandFailure("\(Self.file) is damaged: rows is missing")
        }
        tables = members.compactMap { member in
            member.value.int.map { BackupStore.Count(table: member.key, rows: $0) }
        }
    }
}
