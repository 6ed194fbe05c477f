import APNSSimulator
import ArgumentParser
import Campaigns
import Crypto
import EventLoop
import Glibc
import HTTPServer
import Logging
import ServiceLifecycle

struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a simulated APNs for tests.",
        discussion: """
            The simulator checks each request as Apple's documentation describes, over TLS and HTTP/2, and can inject \
            faults. It writes its CA certificate and a .p8 key that it accepts to the directory. To send to it, run \
            Belfry with --apns-host localhost --apns-port PORT --apns-ca-file DIRECTORY/ca.pem.

            With --http-port, tests of an app ask over HTTP what arrived, and set faults: GET /pushes?token=HEX, \
            DELETE /pushes, GET, PUT and DELETE /faults. Docs/operations.md describes them.
            """)

    @Option(help: "Address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "Port to listen on; 0 selects a free one.")
    var port = 2_197

    @Option(help: "Port for tests of apps, which ask over HTTP what arrived; 0 selects a free one. Loopback only.")
    var httpPort: Int?

    @Option(help: "Directory for ca.pem and the .p8 key.")
    var directory = "var/simulator"

    @Option(help: "Bundle ID that the key can push to. Can be repeated.")
    var bundleID: [String] = ["com.example.app"]

    enum Environment: String, ExpressibleByArgument, CaseIterable { case production, sandbox }

    @Option(help: "Apple's environment to simulate.")
    var environment = Environment.production

    @Option(help: "Additional host name in the certificate. Can be repeated.")
    var name: [String] = []

    @Option(help: "Share of requests (0 to 1) answered with 500 InternalServerError.")
    var serverErrors = 0.0

    @Option(help: "Share of requests (0 to 1) that are left without an answer.")
    var silence = 0.0

    @Flag(help: "Answer 200 to every request without checks, for benchmarks.")
    var quick = false

    @Flag(help: "Print each push: answer, headers, payload, and mistakes that Apple does not reject.")
    var show = false

    static let keyID = "SIMULATOR1"
    static let teamID = "SIMULATED1"

    func validate() throws {
        if quick && show {
            throw ValidationError("--show can't be combined with --quick, which does not read the pushes.")
        }
        if quick && httpPort != nil {
            throw ValidationError("--http-port can't be combined with --quick, which does not read the pushes.")
        }
        for (name, share) in [("--server-errors", serverErrors), ("--silence", silence)]
        where !(0...1).contains(share) {
            throw ValidationError("\(name) must be from 0 to 1.")
        }
    }

    func run() async throws {
        _ = try DescriptorBudget.raise()
        let log = LogOutput(.text, from: ProcessName())
        let logger = log.logger(level: .info)
        let signals = await OtherSignals(logger: logger)
        let loops = try EventLoopGroup(count: 1, name: "apple")
        let keys = SimulatorKeys(directory: directory, keyID: Self.keyID)
        let key = try keys.signingKey()
        var configuration = SimulatorConfiguration()
        configuration.host = host
        configuration.port = try PortNumber.checked(port, from: 0) ?? 0
        configuration.environment = environment == .production ? .production : .sandbox
        configuration.mode = quick ? .acceptAll : .validating
        configuration.hostNames += name
        configuration.authority = try keys.authority()
        configuration.keys = [
            ProviderKey(
                keyID: Self.keyID, teamID: Self.teamID, publicKey: key.publicKey, bundleIDs: Set(bundleID))
        ]
        let pushes = Lock(PushLog())
        let simulator = try SimulatorServer(
            configuration: configuration, loops: loops, logger: logger, observe: observer(pushes))
        simulator.faults = Faults([
            .init(.answer(APNSRejection(status: 500, reason: "InternalServerError")), .rate(serverErrors)),
            .init(.noAnswer(accepted: false), .rate(silence)),
        ])
        try simulator.start()
        let bound = try simulator.port ?? configuration.port
        let inspection = try httpPort.map { port in
            try SimulatorInspection(log: pushes, simulator: simulator).server(
                port: try PortNumber.checked(port, from: 0) ?? 0, loops: loops, logger: logger)
        }
        let inspected = inspection?.address.port.map { "    what arrived            http://127.0.0.1:\($0)/pushes\n" }
        print(
            """

              Simulated APNs (\(environment.rawValue)) listening on \(host):\(bound).

                CA certificate          \(directory)/ca.pem
                signing key             \(directory)/AuthKey_\(Self.keyID).p8
                key id                  \(Self.keyID)
                team id                 \(Self.teamID)
                topics                  \(bundleID.joined(separator: ", "))
            \(inspected ?? "")
            """)
        // Standard output is buffered when it is a pipe.
        fflush(nil)
        var services: [any Service] = [simulator, signals]
        if let inspection { services.append(inspection) }
        try await ServiceGroup.run(services, log: log, logger: logger)
        loops.stop()
    }

    /// Nil if nobody looks at the pushes: then they are not copied.
    private func observer(_ log: Lock<PushLog>) -> (@Sendable (ObservedPush) -> Void)? {
        let (shows, keeps) = (show, httpPort != nil)
        guard shows || keeps else { return nil }
        return { push in
            if shows { Self.show(push) }
            if keeps { log.withLock { $0.add(push) } }
        }
    }

    @Sendable private static func show(_ push: ObservedPush) {
        print(ObservedPushListing(push: push).text)
        fflush(nil)
    }
}
