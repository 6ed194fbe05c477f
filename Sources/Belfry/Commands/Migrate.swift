import ArgumentParser
import EventLoop
import Logging
import Postgres

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Apply missing migrations to the database, and exit.",
        discussion: """
            serve and work also apply them when they start, unless --no-migrate says otherwise; use migrate to apply them \
            before a deployment. Processes of the version before go on working meanwhile and afterwards.

            Some migrations take away what only older versions need. They are left out until --finish, and a later \
            version may refuse to start before that. Run migrate --finish when all processes have the new version.
            """)

    @OptionGroup var options: SettingsOptions

    @Flag(help: "Also take away what older versions need. Refused while a process of such a version runs.")
    var finish = false

    func validate() throws {
        guard !options.noMigrate else {
            throw ValidationError("--no-migrate keeps migrate from doing anything. Leave it out.")
        }
    }

    func run() async throws {
        let settings = try await options.load()
        let logger = Logger.make(level: settings.logLevel, format: settings.logFormat, process: settings.process)
        let loop = try EventLoop(name: "setup")
        let (database, program) = try await withTaskExecutorPreference(loop) {
            try await Database.migrate(settings, finish ? .all : .needed, on: loop, logger: logger)
        }
        print("The schema is at migration \(database.number).")
        let left = program.number - database.number
        if left > 0 {
            print(
                """
                \(left == 1 ? "One migration is left that takes" : "\(left) migrations are left that take") away what older \
                versions need. When all processes have this version, run belfry migrate --finish.
                """)
        }
    }
}
