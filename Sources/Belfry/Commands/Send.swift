import ArgumentParser
import Campaigns
import EventLoop
import JSON
import Notifications

struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send one push, with a signing key or through a running Belfry, and print Apple's answer.",
        discussion: """
            With a signing key, to one device token:

              belfry send --p8 AuthKey_ABC1234567.p8 --team-id DEF1234567 \\
                --bundle-id com.example.app --environment development --token 8f3a… \\
                --payload '{"aps":{"alert":"Hello","sound":"default"}}'

            Through a running Belfry, with its signing key, templates and test devices:

              BELFRY_API_KEY=bfs_… belfry send --url https://push.example.com --app 1 --template 12 --device 5E0B…
            """)

    enum Environment: String, ExpressibleByArgument, CaseIterable { case production, development }

    @Option(help: "Signing key from Apple, a .p8 file.")
    var p8: String?

    @Option(help: "Key ID of the signing key, ten letters and digits. [default: as in the file's name]")
    var keyID: String?

    @Option(help: "Team ID at Apple, ten letters and digits.")
    var teamID: String?

    @Option(help: "Bundle ID of the app, without a suffix such as .voip.")
    var bundleID: String?

    @Option(help: "Device token in hexadecimal digits.")
    var token: String?

    @Option(help: "Payload as JSON; @FILE reads it from a file. [default: a greeting]")
    var payload: String?

    @Option(help: "Apple's environment of the token; the token of an Xcode build is development.")
    var environment = Environment.production

    @Option(help: "Push type, such as alert or background. [default: alert, or the template's]")
    var pushType: String?

    @Option(help: "Priority: 10 immediate, 5 power-aware, 1 lowest power use. [default: that of the push type]")
    var priority: Int?

    @Option(help: "Seconds during which Apple retries the delivery; 0 tries once. [default: 86400, or the template's]")
    var expiration: Int?

    @Option(help: "Collapse ID; a later push with the same one replaces this one on the screen.")
    var collapseID: String?

    @Option(help: "Host to send to instead of Apple's, such as a simulator.")
    var host: String?

    @Option(help: "Port on that host.")
    var port = 443

    @Option(help: "CA certificate to trust for that host or URL (PEM file).")
    var caFile: String?

    @Option(help: "URL of a running Belfry, such as https://push.example.com.")
    var url = "http://127.0.0.1:8080"

    @Option(
        help: """
            Secret API key with the scope test-pushes:send. Other users of this machine can see it. \
            [BELFRY_API_KEY]
            """)
    var key: String?

    @Option(help: "File that contains the API key.")
    var keyFile: String?

    @Option(help: "Number of the app in Belfry.")
    var app: String?

    @Option(help: "Number of a template, instead of a payload.")
    var template: String?

    @Option(help: "Installation of a test device, instead of a token. Can be repeated.")
    var device: [String] = []

    static let defaultPayload =
        #"{"aps":{"alert":{"title":"Belfry","body":"Hello from the command line."},"sound":"default"}}"#
    static let defaultExpiration = 86_400

    func run() async throws {
        let usesAPI = app != nil || template != nil || !device.isEmpty
        let loop = try EventLoop(name: "send")
        defer { loop.stop() }
        let reports =
            usesAPI
            ? try await sendThroughAPI(on: loop) : [try await sendDirectly(on: loop)]
        for report in reports { print(report.text) }
        if !reports.allSatisfy({ $0.answer.state == .accepted }) { throw ExitCode.failure }
    }

    /// The payload argument as JSON; `@FILE` names a file that contains it.
    func payloadJSON() throws -> JSON {
        let payload = payload ?? Self.defaultPayload
        let text = payload.hasPrefix("@") ? try TextFile.read(String(payload.dropFirst())) : payload
        do throws(JSON.SyntaxError) {
            return try JSON(parsing: text)
        } catch {
            throw ValidationError("--payload is not JSON: \(error)")
        }
    }
}
