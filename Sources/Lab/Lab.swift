import ArgumentParser

@main
struct Lab: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "belfry-lab",
        abstract: "Measures Belfry, and tests it under injected faults.",
        discussion: "It starts processes of the program belfry, which it expects in its own folder.",
        subcommands: [Bench.self, Chaos.self])
}
