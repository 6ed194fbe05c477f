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

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See Belfry at work: a simulated Apple, virtual phones, and a campaign. No Apple account needed.",
        discussion: """
            Registers the phones through the API and prints the address of a page on which a campaign is started and \
            watched. With --once it runs the campaign itself, prints the ledger, and exits 0 only if it balances.
            """)

    @OptionGroup var options: SettingsOptions

    @Option(help: "How many virtual phones.")
    var devices = 20_000

    @Option(help: "The same phones for the same seed.")
    var seed: UInt64 = 1

    @Flag(help: "Run one campaign to its end, print its ledger and exit.")
    var once = false

    @Flag(help: "With --once: print the ledger as JSON.")
    var json = false

    func validate() throws {
        guard (1...1_000_000).contains(devices) else { throw ValidationError("--devices is 1 to 1,000,000.") }
        guard !json || once else { throw ValidationError("--json goes with --once.") }
    }

    func run() async throws {
        let started = MonotonicTime.now()
        var settings = try await options.load()
        var scratch: URL?
        if once {
            // A run of its own: a free port, and a database that goes with it.
            settings.port = options.port ?? 0
            settings.logLevel = options.logLevel == nil ? .warning : settings.logLevel
            if settings.databaseURL == nil && options.state == nil {
                let folder = FileManager.default.temporaryDirectory.appending(path: "belfry-demo-\(UUID().uuidString)")
                settings.stateDirectory = folder.path
                scratch = folder
            }
        }
        defer { if let scratch { removeScratch(scratch) } }
        let logger = Logger.make("belfry", level: settings.logLevel)
        let world = try await DemoWorld.build(settings, devices: devices, seed: seed, logger: logger)
        let conductor = DemoConductor(world: world, demo: self, started: started, logger: logger)
        var failure: (any Error)?
        do {
            try await ServiceGroup.run(world.services + [conductor], logger: logger)
        } catch {
            failure = error
        }
        await world.close()
        if let failure { throw failure }
        if once && !conductor.isBalanced.withLock({ $0 }) { throw ExitCode.failure }
    }

    private func removeScratch(_ folder: URL) {
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            FileHandle.standardError.write(Data("\(folder.path) could not be removed: \(error)\n".utf8))
        }
    }
}

/// Registers the phones, then says where to look, or runs the campaign itself.
struct DemoConductor: Service, CustomStringConvertible {
    let world: DemoWorld
    let demo: Demo
    let started: MonotonicTime
    let logger: Logger
    let isBalanced = Lock(false)

    /// The group logs its services; what they hold is not for a log.
    var description: String { "demo" }

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await withTaskExecutorPreference(world.loop) { try await conduct() }
        }
    }

    private func conduct() async throws {
        let registering = MonotonicTime.now()
        await world.fleet.register()
        let statistics = world.fleet.statistics
        guard statistics.notRegistered == 0 else {
            throw CommandFailure("\(statistics.notRegistered) of \(demo.devices) phones could not register.")
        }
        let registered = (MonotonicTime.now() - registering).seconds
        let campaign = try await draft()
        guard demo.once else {
            announce(registered: registered)
            await untilCancelled()
            await world.api.close()
            return
        }
        let ledger = try await runOnce(campaign, registered: registered)
        isBalanced.withLock { $0 = ledger }
        await world.api.close()
    }

    /// The demo stays up until the process is told to end.
    private func untilCancelled() async {
        while !Task.isCancelled {
            do { try await world.loop.sleep(for: .seconds(3_600)) } catch { return }
        }
    }

    private func draft() async throws -> String {
        let existing = try await world.api.send(.get, "/v1/apps/\(world.app)/campaigns")
        let number = existing["data"]?.elements.count ?? 0
        if !demo.once, number > 0 { return "" }
        let made = try await world.api.send(
            .post, "/v1/apps/\(world.app)/campaigns",
            DemoCampaign.body(name: DemoCampaign.names[number % DemoCampaign.names.count]))
        return made["id"]?.text ?? ""
    }

    private func announce(registered: Double) {
        let count = demo.devices.formatted(.number.locale(Locale(identifier: "en_US")))
        print(
            """

              Belfry is up.  \(count) virtual phones registered in \(Self.seconds(registered)).

                http://localhost:\(world.port)/#key=\(world.adminKey)&app=\(world.app)

              Open this page, start the campaign and watch it arrive. Ctrl-C ends everything;
              what was done stays in \(world.settings.stateDirectory)/ for the next time.

            """)
        // Seen at once even when the output is a pipe.
        fflush(nil)
    }

    /// True when the ledger balances.
    private func runOnce(_ campaign: String, registered: Double) async throws -> Bool {
        let path = "/v1/apps/\(world.app)"
        let sending = MonotonicTime.now()
        try await world.api.send(.post, "\(path)/campaigns/\(campaign)/start")
        var run = JSON.null
        while run["finished_at"]?.text == nil {
            try await world.loop.sleep(for: .milliseconds(50))
            let campaignNow = try await world.api.send(.get, "\(path)/campaigns/\(campaign)")
            if campaignNow["state"]?.text == "failed" || campaignNow["state"]?.text == "paused" {
                throw CommandFailure("The campaign stopped: \(campaignNow["reason"]?.text ?? "no reason given")")
            }
            let runs = try await world.api.send(.get, "\(path)/campaigns/\(campaign)/runs")
            guard let id = runs["data"]?.elements.first?["id"]?.text else { continue }
            run = try await world.api.send(.get, "\(path)/runs/\(id)")
        }
        let sent = (MonotonicTime.now() - sending).seconds
        await world.fleet.acknowledgeAll()
        let balanced = run["balanced"]?.bool == true && run["verified_at"]?.text != nil
        report(run, registered: registered, sent: sent, balanced: balanced)
        return balanced
    }

    private func report(_ run: JSON, registered: Double, sent: Double, balanced: Bool) {
        let statistics = world.fleet.statistics
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
            where reason["kind"]?.text == term && reason["reason"]?.text?.isEmpty == false {
                let count = (reason["count"]?.int ?? 0).formatted(.number.locale(Locale(identifier: "en_US")))
                print("    \((reason["reason"]?.text ?? "").padded(to: 34))\(count.leftPadded(to: 12))")
            }
        }
        let verdict = balanced ? "The ledger balances, recounted from its bytes." : "THE LEDGER DOES NOT BALANCE."
        print(
            """

              \(verdict)
              Registered in \(Self.seconds(registered)), sent in \(Self.seconds(sent)), all in \(Self.seconds(total)).

            """)
    }

    private static func seconds(_ value: Double) -> String { String(format: "%.1f s", value) }
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
    func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
