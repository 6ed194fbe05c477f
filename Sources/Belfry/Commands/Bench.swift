import ArgumentParser

struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Measure this machine: composition, sender, campaign, transactional pushes, HTTP, registration, acknowledgements.",
        discussion: """
            Machines are noisy: processor time per item is the steady figure, and the sender is measured beside h2load \
            with distinct paths in the same run. PostgreSQL and the simulated Apple run on the same machine.
            """)

    @Option(help: "Where the figures go as JSON.")
    var json: String?

    @Option(help: "Devices of the campaign.")
    var size = 1_000_000

    @Option(help: "Only rows whose name begins so, such as sender or campaign.")
    var only: String?

    func validate() throws {
        guard (10_000...20_000_000).contains(size) else { throw ValidationError("--size is 10,000 to 20,000,000.") }
    }

    func run() async throws {
        var report = BenchReport()
        let wants = { (name: String) in only.map { name.hasPrefix($0) || $0.hasPrefix(name) } ?? true }
        report.begin()
        if wants("composition") { try await ComposeBench().run(into: &report) }
        if wants("sender") { try await SenderBench().run(into: &report) }
        if wants("campaign") { try await CampaignBench(size: size).run(into: &report) }
        if ["planning", "claim", "audience", "retiring"].contains(where: wants) {
            try await PlanBench(size: size).run(into: &report)
        }
        if wants("transactional") { try await PushBench().run(into: &report) }
        if wants("http") || wants("registration") || wants("acknowledgements") {
            try await WebBench().run(into: &report)
        }
        if let json { try report.write(to: json) }
    }
}
