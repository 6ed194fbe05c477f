import EventLoop
import FoundationEssentials
import HTTPClient
import HTTPTypes

/// The client for the requests of the phones to the API.
struct FleetClient: Sendable {
    /// Acknowledgements in one request.
    static let eventsPerRequest = 100
    /// The maximum number of attempts per request.
    static let attempts = 6
    /// The delay before the next attempt.
    static let pause = Duration.seconds(1)

    enum Failure: Error, CustomStringConvertible {
        case refused(status: Int)
        case unreachable(HTTPClientError)

        var description: String {
            switch self {
            case .refused(let status): "the API responded with status \(status)"
            case .unreachable(let error): "\(error)"
            }
        }

        /// Whether the same request may succeed later.
        var isRetryable: Bool {
            switch self {
            case .refused(let status): status == 429 || status >= 500
            case .unreachable: true
            }
        }
    }

    private let loop: EventLoop
    private let client: HTTPClient
    private let appPath: String
    private let replies: [String]
    private let headers: HTTPFields

    init(_ configuration: FleetConfiguration, on loop: EventLoop) {
        self.loop = loop
        client = HTTPClient(
            loop: loop, host: configuration.host, port: configuration.port, tls: configuration.tls,
            maximumConnections: configuration.connections)
        appPath = "/v1/apps/\(configuration.appID)"
        replies = configuration.replies
        headers = [
            .authorization: "Bearer \(configuration.publishableKey)", .contentType: "application/json",
        ]
    }

    func close() async { await client.close() }

    /// Registers a phone. Returns nil if it was stored. Temporary failures are retried after a pause.
    func register(_ phone: Phone, as environment: SimulatorConfiguration.Environment) async -> Failure? {
        let body = Array(phone.registration(as: environment).utf8)
        var failure: Failure?
        for attempt in 1...Self.attempts {
            failure = await send(.put, "\(appPath)/devices/\(phone.installation)", body)
            guard let failure, failure.isRetryable, attempt < Self.attempts else { break }
            do { try await loop.sleep(for: Self.pause) } catch { break }
        }
        return failure
    }

    func acknowledge(_ events: ArraySlice<AcknowledgementSchedule.Event>) async -> Failure? {
        let texts = events.map { event in
            let time = Date(timeIntervalSince1970: Double(event.at) / 1_000)
                .formatted(
                    .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
            let details = self.details(of: event)
            return #"{"message_id":"\#(event.id)","kind":"\#(event.kind.rawValue)","at":"\#(time)"\#(details)}"#
        }
        return await send(
            .post, "\(appPath)/acknowledgements", Array(#"{"events":[\#(texts.joined(separator: ","))]}"#.utf8))
    }

    /// The members that only some kinds have. Identifiers and replies need no escapes.
    private func details(of event: AcknowledgementSchedule.Event) -> String {
        switch event.kind {
        case .delivered, .opened, .dismissed, .influenced: ""
        case .action: #","action":"\#(event.action)""#
        case .text: #","action":"\#(event.action)","text":"\#(replies[Int(event.detail)])""#
        case .converted:
            #","action":"\#(event.action)","value":\#(event.detail / 100).\#(event.detail % 100 / 10)\#(event.detail % 10)"#
        }
    }

    private func send(_ method: HTTPRequest.Method, _ path: String, _ body: [UInt8]) async -> Failure? {
        do {
            let (response, _) = try await client.send(method, path, headers: headers, body: body)
            return 200..<300 ~= response.status.code ? nil : .refused(status: response.status.code)
        } catch {
            return .unreachable(error)
        }
    }
}
