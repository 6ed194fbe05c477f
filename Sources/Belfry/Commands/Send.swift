import ArgumentParser
import Campaigns
import EventLoop
import JSON
import Notifications

struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send one push and print Apple's answer: with a signing key, or through a running Belfry.",
        discussion: """
            With a signing key, to one device token:

              belfry send --p8 AuthKey_ABC1234567.p8 --key-id ABC1234567 --team-id DEF1234567 \\
                --bundle-id com.example.app --environment development --token 8f3a… \\
                --payload '{"aps":{"alert":"Hello"}}'

            Through a running Belfry, which has the key, the templates and the test devices:

              BELFRY_API_KEY=bfs_… belfry send --url https://push.example.com --app 1 --template 12 --device 5E0B…
            """)

    enum Environment: String, ExpressibleByArgument, CaseIterable { case production, development }

    @Option(help: "Apple's signing key, a .p8 file.")
    var p8: String?

    @Option(help: "The key's id, ten letters and digits.")
    var keyID: String?

    @Option(help: "The team's id, ten letters and digits.")
    var teamID: String?

    @Option(help: "The app's bundle id, without a suffix such as .voip.")
    var bundleID: String?

    @Option(help: "The device token in hexadecimal digits.")
    var token: String?

    @Option(help: "The payload as JSON; @FILE reads it from a file. [default: a greeting]")
    var payload: String?

    @Option(help: "Which of Apple's two worlds the token is of: an Xcode build's is development.")
    var environment = Environment.production

    @Option(help: "The push type, such as alert or background. [default: alert, or the template's]")
    var pushType: String?

    @Option(help: "10 at once, 5 power-aware, 1 power first. Without it: what the push type wants.")
    var priority: Int?

    @Option(help: "Seconds that Apple keeps trying; 0 tries once. [default: 86400, or the template's]")
    var expiration: Int?

    @Option(help: "A later push with the same collapse id replaces this one on the screen.")
    var collapseID: String?

    @Option(help: "Another host than Apple's, such as a simulator.")
    var host: String?

    @Option(help: "The port on that host.")
    var port: UInt16 = 443

    @Option(help: "Certificate authority to believe there (PEM).")
    var caFile: String?

    @Option(help: "A running Belfry, like https://push.example.com.")
    var url = "http://127.0.0.1:8080"

    @Option(
        help: """
            An API key for it, with the scope test-pushes:send. Everyone on this machine can read it here. \
            [BELFRY_API_KEY]
            """)
    var key: String?

    @Option(help: "File with that key.")
    var keyFile: String?

    @Option(help: "The app's number there.")
    var app: String?

    @Option(help: "A template's number, in place of a payload.")
    var template: String?

    @Option(help: "The installation of a test device, in place of a token. Several: repeat it.")
    var device: [String] = []

    static let standardPayload =
        #"{"aps":{"alert":{"title":"Belfry","body":"Hello from the command line."},"sound":"default"}}"#
    static let standardExpiration = 86_400

    func run() async throws {
        let isThroughAPI = app != nil || template != nil || !device.isEmpty
        let loop = try EventLoop(name: "send")
        defer { loop.stop() }
        let answers =
            isThroughAPI
            ? try await answersOfAPI(on: loop) : [try await answerOfApple(on: loop)]
        for answer in answers { print(answer.words) }
        if !answers.allSatisfy({ $0.answer.state == .accepted }) { throw ExitCode.failure }
    }

    /// The text itself or, behind an @, a file's.
    func payloadJSON() throws -> JSON {
        let payload = payload ?? Self.standardPayload
        let text = payload.hasPrefix("@") ? try TextFile.read(String(payload.dropFirst())) : payload
        do throws(JSON.SyntaxError) {
            return try JSON(parsing: text)
        } catch {
            throw ValidationError("--payload is not JSON: \(error)")
        }
    }
}
