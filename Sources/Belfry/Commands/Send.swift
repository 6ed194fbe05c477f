import APNS
import ArgumentParser
import Crypto
import EventLoop
import Foundation
import Logging
import Notifications
import TLS

struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send one payload to one device token and print Apple's answer.",
        discussion: """
            Example:

              belfry send --p8 AuthKey_ABC1234567.p8 --key-id ABC1234567 --team-id DEF1234567 \\
                --bundle-id com.example.app --environment development --token 8f3a… \\
                --payload '{"aps":{"alert":"Hello"}}'
            """)

    enum Environment: String, ExpressibleByArgument, CaseIterable { case production, development }

    @Option(help: "Apple's signing key, a .p8 file.")
    var p8: String

    @Option(help: "The key's id, ten letters and digits.")
    var keyID: String

    @Option(help: "The team's id, ten letters and digits.")
    var teamID: String

    @Option(help: "The app's bundle id, without a suffix such as .voip.")
    var bundleID: String

    @Option(help: "The device token in hexadecimal digits.")
    var token: String

    @Option(help: "The payload as JSON; @FILE reads it from a file.")
    var payload = #"{"aps":{"alert":{"title":"Belfry","body":"Hello from the command line."},"sound":"default"}}"#

    @Option(help: "Which of Apple's two worlds the token is of: an Xcode build's is development.")
    var environment = Environment.production

    @Option(help: "The push type, such as alert or background.")
    var pushType = "alert"

    @Option(help: "10 at once, 5 power-aware, 1 power first. Without it: what the push type wants.")
    var priority: Int?

    @Option(help: "Seconds that Apple keeps trying; 0 tries once.")
    var expiration = 86_400

    @Option(help: "A later push with the same collapse id replaces this one on the screen.")
    var collapseID: String?

    @Option(help: "Another host than Apple's, such as a simulator.")
    var host: String?

    @Option(help: "The port on that host.")
    var port: UInt16 = 443

    @Option(help: "Certificate authority to believe there (PEM).")
    var caFile: String?

    func run() async throws {
        let request = try Request(self)
        let loop = try EventLoop(name: "send")
        let answer = try await withTaskExecutorPreference(loop) { try await send(request, on: loop) }
        loop.stop()
        print(answer.words(host: request.endpoint.host))
        if !answer.result.isAccepted { throw ExitCode.failure }
    }

    /// The arguments, checked. All that is wrong with the payload is said at once.
    private struct Request {
        let key: SigningKey
        let keyID: KeyID
        let teamID: TeamID
        let token: DeviceToken
        let payload: [UInt8]
        let headers: PushHeaders
        let endpoint: APNSEndpoint

        init(_ arguments: Send) throws {
            key = try checked("p8") { try SigningKey(pem: try TextFile.read(arguments.p8)) }
            keyID = try checked("key-id") { try KeyID(arguments.keyID) }
            teamID = try checked("team-id") { try TeamID(arguments.teamID) }
            token = try checked("token") { try DeviceToken(hex: arguments.token.trimmed) }
            let bundleID = try checked("bundle-id") { try BundleID(arguments.bundleID) }
            guard let pushType = PushType(rawValue: arguments.pushType) else {
                throw ValidationError(
                    "--push-type is one of \(PushType.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            let collapseID = try checked("collapse-id") { try arguments.collapseID.map { try CollapseID($0) } }
            let number = arguments.priority ?? pushType.defaultPriority.rawValue
            guard let priority = Priority(rawValue: number) else { throw ValidationError("--priority is 10, 5 or 1.") }
            let expires = arguments.expiration == 0 ? 0 : Int(Date().timeIntervalSince1970) + arguments.expiration
            payload = try Self.payload(arguments, pushType: pushType, priority: priority, expires: expires)
            headers = PushHeaders(
                bundleID: bundleID, pushType: pushType, priority: priority, expiration: expires, collapseID: collapseID)
            if let host = arguments.host {
                endpoint = APNSEndpoint(
                    host: host, port: arguments.port, trust: arguments.caFile.map { .file($0) } ?? .systemRoots)
            } else {
                endpoint = arguments.environment == .production ? .production : .development
            }
        }

        private static func payload(
            _ arguments: Send, pushType: PushType, priority: Priority, expires: Int
        ) throws -> [UInt8] {
            let text =
                arguments.payload.hasPrefix("@")
                ? try TextFile.read(String(arguments.payload.dropFirst())) : arguments.payload
            let json: JSON
            do throws(JSON.SyntaxError) {
                json = try JSON(parsing: text)
            } catch {
                throw ValidationError("--payload is not JSON: \(error)")
            }
            let problems = PushRules(
                pushType: pushType, priority: priority, expiration: expires, collapseID: arguments.collapseID,
                messageIDKey: nil
            ).problems(in: json).filter { $0.severity == .error }
            guard !problems.isEmpty else { return json.encoded() }
            let lines = problems.map { "  \($0.path): \($0.message)" }
            throw ValidationError("--payload would not do:\n\(lines.joined(separator: "\n"))")
        }
    }

    private func send(_ request: Request, on loop: EventLoop) async throws -> Answer {
        let reasons = ReasonTable()
        let logger = Logger.make("belfry", level: .error)
        let client = try APNSClient(
            endpoint: request.endpoint,
            tokens: LocalTokenSource(key: request.key, keyID: request.keyID, teamID: request.teamID),
            reasons: reasons, options: APNSOptions(), loop: loop, logger: logger)
        let window = PushWindow()
        window.reset(headers: request.headers, keepsUniqueIDs: true)
        window.allow(until: .now() + .seconds(30))
        let id = UUID().uuidString.lowercased()
        request.token.bytes.withUnsafeBytes { token in
            let (idBytes, payload) = window.beginPush(token: token)
            idBytes.copyBytes(from: id.utf8)
            payload.copyBytes(from: request.payload)
            window.endPush(payloadLength: request.payload.count)
        }
        let ending = await client.send(window)
        await client.shutDown()
        if case .unavailable(let error) = ending {
            throw CommandFailure("No connection to \(request.endpoint.host):\(request.endpoint.port): \(error)")
        }
        return Answer(
            result: window.results[0], reason: reasons.text(window.results[0].reason), id: id,
            uniqueID: window.uniqueID(0))
    }
}
