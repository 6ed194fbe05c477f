import ArgumentParser
import Crypto
import Store

/// The key that encrypts secrets in the database; `belfry key` is for API keys.
struct SealingKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sealing-key", abstract: "Change the key that encrypts secrets in the database.",
        subcommands: [List.self, Rotate.self], aliases: ["keys"])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List this process's sealing keys by their IDs, with the number of records under each.")

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await DatabaseSession.run(options) { stores in
                let counts = try await stores.sealedRecords.counts()
                func line(_ key: String, _ use: String, _ id: SealingKeyID?) -> String {
                    let records = counts.filter { $0.key == id }.map(\.secrets).reduce(0, +)
                    return key.padded(to: 18) + use.padded(to: 20) + "\(records)"
                }
                print("ID".padded(to: 18) + "USE".padded(to: 20) + "RECORDS")
                print(line("\(stores.sealingKeys.current.id)", "encrypts, decrypts", stores.sealingKeys.current.id))
                for key in stores.sealingKeys.others { print(line("\(key.id)", "decrypts", key.id)) }
                if counts.contains(where: { $0.key == nil }) { print(line("none", "without an ID", nil)) }
            }
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Encrypt all secrets in the database with the current sealing key, while Belfry runs.",
            discussion: """
                The current key is the first one in the sealing key file or in BELFRY_SEALING_KEY; the further ones \
                decrypt what they have encrypted. To change the key:

                1. Add the new key as the last line ("openssl rand -hex 32"), and restart every process.
                2. Move it to the first line, and restart every process.
                3. Run this command. It can be interrupted and repeated.
                4. When it says so, remove the former key, and restart every process.

                With a single process, begin with step 2. Keep the former key as long as you keep backups from before \
                step 3: a restored database needs it.
                """)

        /// Records of a table between two lines of progress.
        private static let progressInterval = 10_000

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await DatabaseSession.run(options) { stores in
                let keys = stores.sealingKeys
                print("Encrypting with the sealing key \(keys.current.id).")
                var tables: [(name: String, count: Int)] = []
                let rotation = try await stores.sealedRecords.rotate { table, count in
                    if tables.last?.name != table { tables.append((table, 0)) }
                    if count / Self.progressInterval > (tables.last?.count ?? 0) / Self.progressInterval {
                        print("  \(table): \(count) re-sealed so far")
                    }
                    tables[tables.count - 1].count = count
                }
                for table in tables { print("  \(table.name): \(table.count) re-sealed") }
                print(try Self.result(of: rotation, keys))
            }
        }

        private static func result(of rotation: SealedRecordStore.Rotation, _ keys: SealingKeyRing) throws -> String {
            guard rotation.remaining > 0 else {
                let done = "All records are encrypted with \(keys.current.id)."
                guard !keys.others.isEmpty else { return done }
                return """
                    \(done) No record needs \(keys.others.map(\.id.description).joined(separator: ", ")).
                    If that is the former key, and \(keys.current.id) is on the first line of every process, remove \
                    it and restart every process.
                    If that is the new key, move it to the first line, restart every process and run this command again.
                    """
            }
            let missing = rotation.missingKeys.map(\.description).sorted().joined(separator: ", ")
            throw CommandFailure(
                rotation.unopened == 0
                    ? "\(rotation.remaining) records were written with another key meanwhile. Restart the processes "
                        + "that still have it on the first line, then run this command again. Don't remove a key."
                    : "\(rotation.unopened) records can't be decrypted"
                        + (missing.isEmpty ? " with any of the keys" : "; these keys are missing: \(missing)")
                        + ". Add the key that encrypted them as a further line, then run this command again. "
                        + "Don't remove a key.")
        }
    }
}
