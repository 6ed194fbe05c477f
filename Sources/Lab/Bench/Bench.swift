import ArgumentParser

struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Measure composition, sender, campaign, transactional pushes, HTTP, registration and events.",
        discussion: """
            Rates vary between runs on a busy machine; processor time per item is more stable. The sender is compared \
            with h2load in the same run. PostgreSQL and the simulated APNs run on the same machine.
            """)

    @Option(help: "File to write the results to, as JSON.")
    var json: String?

    @Option(help: "Number of devices in the campaign.")
    var size = 1_000_000

    @Option(help: "Weeks of history that old apps have in history.*: 52 take about a quarter of an hour.")
    var weeks = 4

    @Option(help: "Run only the benchmarks whose rows begin with this name, such as sender or campaign.")
    var only: String?

    func validate() throws {
        guard (10_000...20_000_000).contains(size) else {
            throw ValidationError("--size must be from 10,000 to 20,000,000.")
        }
        guard (1...520).contains(weeks) else { throw ValidationError("--weeks must be from 1 to 520.") }
    }

    func run() async throws {
        var report = BenchReport()
        let wants = { (name: String) in only.map { name.hasPrefix($0) || $0.hasPrefix(name) } ?? true }
        let wantsStartOnly = only?.hasPrefix("campaign.start") ?? false
        report.begin()
        if wants("composition") { try await ComposeBench().run(into: &report) }
        if wants("sender") { try await SenderBench().run(into: &report) }
        if wants("campaign"), !wantsStartOnly { try await CampaignBench(size: size).run(into: &report) }
        if wants("campaign.start") { try await StartBench(size: size).run(into: &report) }
        if wants("uneven") { try await UnevenBench.run(into: &report) }
        if ["planning", "claim", "audience", "retiring"].contains(where: wants) {
            try await PlanBench(size: size).run(into: &report)
        }
        if wants("transactional") { try await PushBench().run(into: &report) }
        if ["http", "registration", "acknowledgements", "custom_events"].contains(where: wants) {
            try await WebBench().run(into: &report)
        }
        if wants("history") { try await HistoryBench(weeks: weeks).run(into: &report) }
        if wants("statistics") { try await StatisticsBench().run(into: &report) }
        if let json { try report.write(to: json) }
    }
}
