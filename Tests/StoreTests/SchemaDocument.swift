import Postgres

/// The current schema as SQL text on one page, read from PostgreSQL's catalog, with the comments stored in it.
///
/// It shows the result of all migrations, also of those that change what an earlier one has created.
struct SchemaDocument {
    private let connection: PostgresPool

    static func text(of pool: PostgresPool) async throws -> String {
        let document = SchemaDocument(connection: pool)
        var parts = [
            """
            -- The current schema. Generated from the migrations by `make schema`; a test compares it with them.
            -- Comments are stored in the database, so \\d+ in psql shows them.
            """
        ]
        parts += try await document.sequences()
        for table in try await document.tables() { parts.append(try await document.describe(table)) }
        parts += try await document.definitions()
        // As a person writes it.
        return (parts.joined(separator: "\n\n") + "\n").replacing("'::text", with: "'")
            .replacing("timestamp with time zone", with: "timestamptz")
    }

    private struct Table {
        let oid: Int64
        let name: String
        let isUnlogged: Bool
        let options: String?
        let comment: String?
        let partitioning: String?
    }

    /// In the order of their creation; without the migrator's own.
    private func tables() async throws -> [Table] {
        try await connection.query(
            """
            SELECT c.oid::bigint, c.relname::text, c.relpersistence = 'u', array_to_string(c.reloptions, ', '),
                obj_description(c.oid, 'pg_class'), pg_get_partkeydef(c.oid)
            FROM pg_class c
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                AND c.relname <> 'schema_migrations'
            ORDER BY c.oid
            """
        ).map {
            Table(
                oid: try $0[0], name: try $0[1], isUnlogged: try $0[2], options: try $0[3], comment: try $0[4],
                partitioning: try $0[5])
        }
    }

    private func describe(_ table: Table) async throws -> String {
        let members = try await columns(of: table) + constraints(of: table)
        var lines = members.map { member in
            (member.comment.map { "    -- \($0)\n" } ?? "") + "    " + member.definition
        }
        lines = lines.dropLast().map { $0 + "," } + lines.suffix(1)
        let options =
            (table.options.map { " WITH (\($0))" } ?? "") + (table.partitioning.map { " PARTITION BY \($0)" } ?? "")
        let indexes = try await indexes(of: table)
        return
            ((table.comment.map { ["-- \($0)"] } ?? [])
            + ["CREATE \(table.isUnlogged ? "UNLOGGED " : "")TABLE \(table.name) ("] + lines + [")\(options);"]
            + indexes)
            .joined(separator: "\n")
    }

    private typealias Member = (definition: String, comment: String?)

    private func columns(of table: Table) async throws -> [Member] {
        try await connection.query(
            """
            SELECT concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
                    CASE WHEN a.attcollation <> t.typcollation THEN
                        'COLLATE ' || (SELECT quote_ident(collname) FROM pg_collation WHERE oid = a.attcollation) END,
                    CASE WHEN a.attnotnull THEN 'NOT NULL' END,
                    CASE WHEN a.attidentity <> '' THEN 'GENERATED ALWAYS AS IDENTITY'
                        WHEN a.attgenerated <> '' THEN 'GENERATED ALWAYS AS (…) STORED'
                        WHEN d.oid IS NOT NULL THEN 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid, true) END),
                col_description(a.attrelid, a.attnum)
            FROM pg_attribute a
            JOIN pg_type t ON t.oid = a.atttypid
            LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
            WHERE a.attrelid = \(table.oid)::oid AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum
            """
        ).map { (try $0[0], try $0[1]) }
    }

    /// Without NOT NULL; the primary key first.
    private func constraints(of table: Table) async throws -> [Member] {
        try await connection.query(
            """
            SELECT CASE WHEN contype = 'p' THEN '' ELSE 'CONSTRAINT ' || quote_ident(conname) || ' ' END
                || pg_get_constraintdef(oid, true)
            FROM pg_constraint WHERE conrelid = \(table.oid)::oid AND contype IN ('p', 'u', 'f', 'c')
            ORDER BY position(contype::text IN 'pufc'), conname
            """
        ).map { (try $0[0], nil) }
    }

    /// Those that no constraint has made.
    private func indexes(of table: Table) async throws -> [String] {
        try await connection.query(
            """
            SELECT replace(replace(pg_get_indexdef(i.indexrelid), 'public.', ''), ' USING btree', '') || ';'
            FROM pg_index i
            WHERE i.indrelid = \(table.oid)::oid
                AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid AND contype IN ('p', 'u'))
            ORDER BY i.indexrelid::regclass::text
            """
        ).map { try $0[0] }
    }

    /// Those that no identity column owns.
    private func sequences() async throws -> [String] {
        try await connection.query(
            """
            SELECT format('CREATE SEQUENCE %I AS %s MINVALUE %s MAXVALUE %s;', sequencename, data_type, min_value,
                max_value)
            FROM pg_sequences s
            WHERE schemaname = 'public' AND NOT EXISTS (
                SELECT FROM pg_depend WHERE objid = s.sequencename::regclass AND deptype = 'i')
            ORDER BY sequencename
            """
        ).map { try $0[0] }
    }

    /// Types, views, functions and triggers.
    private func definitions() async throws -> [String] {
        try await connection.query(
            """
            SELECT coalesce('-- ' || comment || E'\\n', '') || text FROM (
                SELECT 0 AS number, c.relname AS name, obj_description(c.reltype, 'pg_type') AS comment,
                    format('CREATE TYPE %I AS (%s);', c.relname, (
                        SELECT string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod), ', '
                            ORDER BY attnum)
                        FROM pg_attribute WHERE attrelid = c.oid)) AS text
                FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'c'
                UNION ALL
                SELECT 1, c.relname, obj_description(c.oid, 'pg_class'),
                    format(E'CREATE VIEW %s AS\\n%s', c.oid::regclass, pg_get_viewdef(c.oid, true))
                FROM pg_class c WHERE c.relnamespace IN ('public'::regnamespace, 'bi'::regnamespace) AND c.relkind = 'v'
                UNION ALL
                SELECT 2, p.proname, obj_description(p.oid, 'pg_proc'),
                    replace(rtrim(replace(pg_get_functiondef(p.oid), 'public.', ''), E'\\n'), 'OR REPLACE ', '') || ';'
                FROM pg_proc p WHERE p.pronamespace IN ('public'::regnamespace, 'bi'::regnamespace)
                UNION ALL
                SELECT 3, t.tgname, NULL, replace(pg_get_triggerdef(t.oid), 'public.', '') || ';'
                FROM pg_trigger t WHERE NOT t.tgisinternal
            ) AS d
            ORDER BY number, name COLLATE "C"
            """
        ).map { try $0[0] }
    }
}
