import API
import APNSSimulator
import ArgumentParser
import Campaigns
import EventLoop
import Foundation
import HTTPTypes
import JSON
import Logging
import Notifications
import ServiceLifecycle
import Store

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Try Belfry with a simulated APNs and virtual phones. No Apple account is required.",
        discussion: """
            Registers the phones through the API and prints the URL of a page where you can start a campaign and \
            follow it. With --once it runs one campaign, prints its ledger, and exits with 0 only if it balances.
            """)

    @OptionGroup var options: SettingsOptions
    @OptionGroup(title: "Limits") var limits: ServerOptions

    @Option(help: "Number of virtual phones.")
    var devices = 20_000

    @Option(help: "Seed of the phones; the same seed gives the same phones.")
    var seed: UInt64 = 1

    @Flag(help: "Run one campaign, print its ledger and exit.")
    var once = false

    @Flag(help: "With --once: print the ledger as JSON.")
    var json = false

    func validate() throws {
        guard (1...1_000_000).contains(devices) else { throw ValidationError("--devices must be from 1 to 1,000,000.") }
        guard !json || once else { throw ValidationError("--json requires --once.") }
    }

    func run() async throws {
        let started = MonotonicTime.now()
        let descriptors = try DescriptorBudget.raise()
        let reader = try await options.reader()
        var settings = try options.load(reader, privateDatabase: .allowed)
        settings.process.kind = .demo
        try limits.configure(&settings.server, reader, descriptors)
        // All phones of the demo have one address.
        settings.rateLimits = try limits.rateLimits(reader, otherwise: .none)
        var scratch: URL?
        if once {
            // This run has a free port and a temporary database.
            if options.port == nil { settings.port = 0 }
            settings.logLevel = options.logLevel == nil ? .warning : settings.logLevel
            if settings.databaseURL == nil && options.state == nil {
                let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-demo-\(UUID().uuidString)")
                settings.stateDirectory = folder.path
                scratch = folder
            }
        }
        try settings.choosePort()
        defer { if let scratch { removeScratch(scratch) } }
        let log = LogOutput(settings.logFormat, from: settings.process)
        let logger = log.logger(level: settings.logLevel)
        let signals = await OtherSignals(logger: logger)
        let environment = try await DemoEnvironment.build(settings, devices: devices, seed: seed, logger: logger)
        let service = DemoService(environment: environment, demo: self, started: started, logger: logger)
        var failure: (any Error)?
        do {
            try await ServiceGroup.run(environment.services + [service, signals], log: log, logger: logger)
        } catch {
            failure = error
        }
        await environment.close()
        if let failure { throw failure }
        if once && !service.isBalanced.withLock({ $0 }) { throw ExitCode.failure }
    }

    private func removeScratch(_ folder: URL) {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            FileHandle.standardError.write(Data("can't remove \(folder.path): \(error)\n".utf8))
        }
    }
}

/// Registers the phones, then prints the page's URL or, with --once, runs the campaign.
struct DemoService: Service, CustomStringConvertible {
    let environment: DemoEnvironment
    let demo: Demo
    let started: MonotonicTime
    let logger: Logger
    let isBalanced = Lock(false)

    /// The service group logs this name in place of the properties, which include a key.
    var description: String { "demo" }

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await withTaskExecutorPreference(environment.loop) { try await runDemo() }
        }
    }

    private func runDemo() async throws {
        let registering = MonotonicTime.now()
        await environment.fleet.register()
        let statistics = environment.fleet.statistics
        guard statistics.notRegistered == 0 else {
            throw CommandFailure(
                "\(statistics.notRegistered) of \(demo.devices) phones could not register; see the log.")
        }
        let registered = (MonotonicTime.now() - registering).seconds
        guard demo.once else {
            try await environment.fillWorkspace(logger)
            announce(registered: registered)
            await waitForCancellation()
            await environment.api.close()
            return
        }
        let ledger = try await runOnce(try await draft(), registered: registered)
        isBalanced.withLock { $0 = ledger }
        await environment.api.close()
    }

    /// Returns when the process is told to end.
    private func waitForCancellation() async {
        while !Task.isCancelled {
            do { try await environment.loop.sleep(for: .seconds(3_600)) } catch { return }
        }
    }

    private func draft() async throws -> String {
        let existing = try await environment.api.send(.get, "/v1/apps/\(environment.app)/campaigns")
        let number = existing["data"]?.elements.count ?? 0
        let made = try await environment.api.send(
            .post, "/v1/apps/\(environment.app)/campaigns",
            DemoCampaign.body(name: DemoCampaign.names[number % DemoCampaign.names.count]))
        return made["id"]?.text ?? ""
    }

    private func announce(registered: Double) {
        let count = demo.devices.formatted(.number.locale(Locale(identifier: "en_US")))
        print(
            """

              Belfry is up.  \(count) virtual phones registered in \(Self.seconds(registered)).

                http://localhost:\(environment.port)/#sign-in=\(environment.signInLink)

              Open this address, which signs you in once. Press Ctrl-C to stop.
              The data is stored in \(environment.settings.stateDirectory)/ for the next run.

            """)
        // Standard output is buffered when it is a pipe.
        fflush(nil)
    }

    /// True when the ledger balances.
    private func runOnce(_ campaign: String, registered: Double) async throws -> Bool {
        let path = "/v1/apps/\(environment.app)"
        let sending = MonotonicTime.now()
        try await environment.api.send(.post, "\(path)/campaigns/\(campaign)/start")
        var run = JSON.null
        while run["finished_at"]?.text == nil {
            try await environment.loop.sleep(for: .milliseconds(50))
            let campaignNow = try await environment.api.send(.get, "\(path)/campaigns/\(campaign)")
            if campaignNow["state"]?.text == "failed" || campaignNow["state"]?.text == "paused" {
                throw CommandFailure("The campaign stopped: \(campaignNow["reason"]?.text ?? "no reason given")")
            }
            let runs = try await environment.api.send(.get, "\(path)/campaigns/\(campaign)/runs")
            guard let id = runs["data"]?.elements.first?["id"]?.text else { continue }
            run = try await environment.api.send(.get, "\(path)/runs/\(id)")
        }
        let sent = (MonotonicTime.now() - sending).seconds
        await environment.fleet.acknowledgeAll()
        let balanced = run["balanced"]?.bool == true && run["verified_at"]?.text != nil
        report(run, registered: registered, sent: sent, balanced: balanced)
        return balanced
    }

    private func report(_ run: JSON, registered: Double, sent: Double, balanced: Bool) {
        let statistics = environment.fleet.statistics
        let total = (MonotonicTime.now() - started).seconds
        let terms = ["targeted", "accepted", "rejected", "suppressed", "expired", "cancelled", "unknown", "pending"]
        if demo.json {
            var members = terms.map { JSON.Member($0, run[$0] ?? .null) }
            members.append(JSON.Member("balanced", .bool(balanced)))
            members.append(JSON.Member("reasons", run["reasons"] ?? .array([])))
            members.append(JSON.Member("phones_reached", .number(JSON.Number(statistics.received))))
            for (name, value) in [
                ("seconds_registering", registered), ("seconds_sending", sent), ("seconds_in_all", total),
            ] {
                members.append(
                    JSON.Member(name, JSON.Number((value * 1_000).rounded() / 1_000).map(JSON.number) ?? .null))
            }
            print(String(decoding: JSON.object(members).encoded(), as: UTF8.self))
            return
        }
        print("")
        for term in terms {
            let count = (run[term]?.int ?? 0).formatted(.number.locale(Locale(identifier: "en_US")))
            print("  \(term.padded(to: 12))\(count.leftPadded(to: 12))")
            for reason in run["reasons"]?.elements ?? []
            where reason["outcome"]?.text == term && reason["reason"]?.text?.isEmpty == false {
                let count = (reason["count"]?.int ?? 0).formatted(.number.locale(Locale(identifier: "en_US")))
                print("    \((reason["reason"]?.text ?? "").padded(to: 34))\(count.leftPadded(to: 12))")
            }
        }
        let verdict =
            balanced ? "The ledger balances, recounted from its bytes." : "THE LEDGER DOES NOT BALANCE."
        print(
            """

              \(verdict)
              Registered in \(Self.seconds(registered)), sent in \(Self.seconds(sent)), \
            \(Self.seconds(total)) in total.

            """)
    }

    private static func seconds(_ value: Double) -> String { String(format: "%.1f s", value) }
}
