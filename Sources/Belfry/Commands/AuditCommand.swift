import Administration
import ArgumentParser
import Campaigns
import Crypto
import Notifications
import Postgres
import Store

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Check and shorten the audit log.", subcommands: [Verify.self, Prune.self])

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check that no record of the audit log was changed, removed or put in later.",
            discussion: """
                Prints the number and the hash of the last record. Write them down elsewhere: only so you notice later \
                that the newest records were removed. With --record and --hash, such a note is checked.
                """)

        @OptionGroup var options: SettingsOptions

        @Option(help: "Number of a record that was noted before.")
        var record: Int64?

        @Option(help: "Its hash.")
        var hash: String?

        func validate() throws {
            guard (record == nil) == (hash == nil) else {
                throw ValidationError("--record and --hash must be given together.")
            }
        }

        func run() async throws {
            try await DatabaseSession.run(options) { stores in
                let found = try await stores.audit.verify()
                if let fault = found.fault {
                    throw CommandFailure("The audit log is damaged: record \(fault.record) \(fault.reason).")
                }
                if let record, let hash {
                    let known = try await stores.audit.hash(of: Audit.ID(rawValue: record)).map { Hex.encode($0) }
                    guard known == hash.lowercased() else {
                        throw CommandFailure(
                            "The audit log is not the one that was noted: record \(record) "
                                + (known == nil ? "is missing." : "has the hash \(known ?? "")."))
                    }
                }
                guard let last = found.last, let first = found.first else {
                    print("The audit log is empty.")
                    return
                }
                print("\(found.records) records are intact, from \(first) to \(last.id).")
                print("The last one has the hash \(Hex.encode(last.hash)).")
            }
        }
    }

    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete old records of the audit log. Without this command, they are kept for ever.")

        @OptionGroup var options: SettingsOptions

        @Option(help: "Delete what is older than this number of days.")
        var olderThanDays: Int

        func validate() throws {
            guard (1...36_500).contains(olderThanDays) else {
                throw ValidationError("--older-than-days must be from 1 to 36,500.")
            }
        }

        func run() async throws {
            try await DatabaseSession.run(options) { stores in
                let time = Timestamp.now - .seconds(olderThanDays * 86_400)
                let count = try await stores.audit.prune(before: time, by: .ofConsole)
                print("\(count) records deleted. The log says so.")
            }
        }
    }
}
