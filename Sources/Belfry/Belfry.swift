public import ArgumentParser

public struct Belfry: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "belfry",
        abstract: "Push campaigns for iOS apps, on your own server.",
        discussion: """
            Try it without an Apple account:  belfry demo
            Run it in production:             belfry serve

            Each setting can be given as a flag, as an environment variable or in a JSON file, in this order of \
            precedence. "belfry help serve" lists the settings.
            """,
        version: "0.1.0",
        subcommands: [
            Serve.self, Work.self, Status.self, DoctorCommand.self, Migrate.self, BackupCommand.self,
            RestoreCommand.self, Demo.self, Simulate.self, Send.self,
            Import.self, AppCommand.self, KeyCommand.self, UserCommand.self, AuditCommand.self,
            AnalystRoleCommand.self, SealingKeyCommand.self,
        ])

    public init() {}
}
