import APNSSimulator
import ArgumentParser
import Campaigns
import Crypto
import EventLoop
import Glibc
import Logging
import ServiceLifecycle

struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a simulated APNs for tests, on its own certificate.",
        discussion: """
            It checks each request as Apple's documentation says Apple does, over TLS and HTTP/2, and can misbehave on \
            request. Its certificate authority and a .p8 key that it accepts are written to the directory; point Belfry \
            at it with --apns-host localhost --apns-port PORT --apns-ca-file DIRECTORY/ca.pem.
            """)

    @Option(help: "Address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "Port to listen on; 0 takes a free one and prints it.")
    var port: UInt16 = 2_197

    @Option(help: "Where ca.pem and the .p8 key are kept.")
    var directory = "var/simulator"

    @Option(help: "Apps that the key may push to.")
    var bundleID: [String] = ["com.example.app"]

    enum Environment: String, ExpressibleByArgument, CaseIterable { case production, sandbox }

    @Option(help: "The environment it plays.")
    var environment = Environment.production

    @Option(help: "Further name in its certificate.")
    var name: [String] = []

    @Option(help: "Share of requests (0 to 1) answered with 500 InternalServerError.")
    var serverErrors = 0.0

    @Option(help: "Share of requests (0 to 1) that get no answer.")
    var silence = 0.0

    @Flag(help: "Answer 200 to everything and check nothing: the other end of a benchmark.")
    var quick = false

    @Flag(help: "Print each push as it comes: answer, headers, payload, and what a good sender does not do.")
    var show = false

    static let keyID = "SIMULATOR1"
    static let teamID = "SIMULATED1"

    func validate() throws {
        if quick && show { throw ValidationError("--quick looks at nothing, so there is nothing to --show.") }
        for share in [serverErrors, silence] where !(0...1).contains(share) {
            throw ValidationError("A share is between 0 and 1.")
        }
    }

    func run() async throws {
        let logger = Logger.make("simulator", level: .info)
        let loops = try EventLoopGroup(count: 1, name: "apple")
        let kept = KeptKeys(directory: directory, keyID: Self.keyID)
        let key = try kept.signingKey()
        var configuration = SimulatorConfiguration()
        configuration.host = host
        configuration.port = port
        configuration.environment = environment == .production ? .production : .sandbox
        configuration.mode = quick ? .quick : .validating
        configuration.hostNames += name
        configuration.authority = try kept.authority()
        configuration.keys = [
            ProviderKey(
                keyID: Self.keyID, teamID: Self.teamID, publicKey: key.publicKey, bundleIDs: Set(bundleID))
        ]
        let simulator = try SimulatorServer(
            configuration: configuration, loops: loops, logger: logger, observe: show ? Self.show : nil)
        simulator.faults = Faults([
            .init(.answer(AppleRefusal(status: 500, reason: "InternalServerError")), .rate(serverErrors)),
            .init(.noAnswer(accepted: false), .rate(silence)),
        ])
        try simulator.start()
        let bound = try simulator.port ?? port
        print(
            """

              A simulated APNs (\(environment.rawValue)) listens on \(host):\(bound).

                certificate authority   \(directory)/ca.pem
                signing key             \(directory)/AuthKey_\(Self.keyID).p8
                key id                  \(Self.keyID)
                team id                 \(Self.teamID)
                topics                  \(bundleID.joined(separator: ", "))

            """)
        // Seen at once even when the output is a pipe.
        fflush(nil)
        try await ServiceGroup.run([simulator], logger: logger)
        loops.stop()
    }

    @Sendable private static func show(_ push: ObservedPush) {
        print(ShownPush(push: push).text)
        fflush(nil)
    }
}
