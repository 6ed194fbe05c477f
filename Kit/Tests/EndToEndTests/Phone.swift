import BelfryCore
import Foundation
import Testing

/// A phone with the app: the kit's client as an app uses it, and the truth about what happened on the phone.
actor Phone {
    let number: Int
    let network: PhoneNetwork
    /// The person who is logged in.
    private(set) var user: String?
    /// Events that the server has to count, each once.
    private(set) var events: Set<Counted> = []
    private(set) var client: Client
    private let reports = Guarded<[Diagnostic]>([])
    private var reader: Task<Void, Never>
    private let folder: URL
    private let configuration: BelfryConfiguration
    private var tokenNumber: Int

    struct Counted: Hashable, Sendable {
        let messageID: String
        let kind: Event.Kind
        var action: String?
        var text: String?
        var value: Double?
    }

    init(_ number: Int, in folder: URL, _ configuration: BelfryConfiguration, _ shared: URLSessionTransport) {
        self.number = number
        self.folder = folder.appendingPathComponent("phone-\(number)")
        self.configuration = configuration
        network = PhoneNetwork(shared)
        tokenNumber = number
        client = Client(
            configuration: configuration, folder: self.folder, installations: InstallationFile(in: self.folder),
            transport: network)
        reader = Self.read(client, into: reports)
    }

    deinit { reader.cancel() }

    /// What the kit has reported, by all clients of this phone.
    var diagnostics: [Diagnostic] { reports.withLock { $0 } }

    private static func read(_ client: Client, into reports: Guarded<[Diagnostic]>) -> Task<Void, Never> {
        let stream = client.diagnostics
        return Task { for await diagnostic in stream { reports.withLock { $0.append(diagnostic) } } }
    }

    /// The first digits of the token, by which the simulator tells phones apart.
    var tokenStart: String { String(format: "%08x", tokenNumber) }

    /// Known after the first registration.
    var installation: String? { if case .found(let id) = InstallationFile(in: folder).read() { id } else { nil } }

    var state: DeviceState {
        var state = DeviceState(
            environment: .production, authorization: number.isMultiple(of: 10) ? .denied : .authorized)
        state.locale = number.isMultiple(of: 3) ? "de-AT" : "en-GB"
        state.timeZone = "Europe/Vienna"
        state.osVersion = "18.1"
        state.appVersion = "2.0"
        state.attributes = ["number": .integer(Int64(number))]
        return state
    }

    /// What an app does at each launch.
    func launch() async throws {
        await client.register(try #require(DeviceToken(token)))
        await client.update(state)
        await client.refresh()
    }

    var token: Data {
        withUnsafeBytes(of: UInt32(tokenNumber).bigEndian) { Data($0) } + Data(repeating: 0xab, count: 28)
    }

    /// The process ends without a word, and the app is started again.
    func crash() async throws {
        restart()
        try await launch()
    }

    /// Without what an app does at its launch.
    func restart() {
        client = Client(
            configuration: configuration, folder: folder, installations: InstallationFile(in: folder),
            transport: network)
        reader.cancel()
        reader = Self.read(client, into: reports)
    }

    func logIn(_ user: String, key: String) async {
        self.user = user
        await client.logIn(
            User(
                id: user, signature: IdentitySignature.of(user, key: key),
                person: .object(["attributes": .object(["first_name": .string("Ada \(number)")])])))
    }

    func logOut() async {
        user = nil
        await client.logOut()
    }

    func changeToken() async throws {
        tokenNumber += 1 << 24
        await client.register(try #require(DeviceToken(token)))
    }

    // MARK: What the person does with a push

    /// The notification service extension: another process with a client of its own in the same folder.
    func deliver(_ push: Push) throws {
        let service = Client(
            configuration: configuration, folder: folder, process: "service",
            installations: InstallationFile(in: folder), transport: network)
        try service.record(push, .delivered)
        try count(push, .delivered)
    }

    func present(_ push: Push) throws {
        try client.record(push, .presented)
        try count(push, .presented)
    }

    func open(_ push: Push) throws {
        let request = UUID().uuidString
        #expect(try client.handle(push, requestID: request, action: ResponseEvent.defaultAction) == .opened(push))
        // The scene and the delegate both report a launch.
        #expect(try client.handle(push, requestID: request, action: ResponseEvent.defaultAction) == .repeated)
        try count(push, .opened)
    }

    func press(_ action: String, of push: Push) throws {
        let handling = try client.handle(push, requestID: UUID().uuidString, action: action)
        #expect(handling == .action(push, identifier: action))
        try count(push, .action, action: action)
    }

    func reply(_ text: String, to push: Push) throws {
        let handling = try client.handle(push, requestID: UUID().uuidString, action: "answer", text: text)
        #expect(handling == .reply(push, identifier: "answer", text: text))
        try count(push, .text, action: "answer", text: text)
    }

    func dismiss(_ push: Push) throws {
        let action = ResponseEvent.dismissAction
        #expect(try client.handle(push, requestID: UUID().uuidString, action: action) == .dismissed(push))
        try count(push, .dismissed)
    }

    func buy(after push: Push, value: Double) throws {
        #expect(try client.convert("purchase", value: value))
        try count(push, .converted, action: "purchase", value: value)
    }

    /// The app is opened from its icon, while the push is shown.
    func openFromIcon(_ push: Push) throws {
        let now = Date()
        var opens = InfluencedOpens()
        opens.activated()
        let shown = InfluencedOpens.Shown(messageID: try #require(push.messageID), arrivedAt: now - 60)
        for event in opens.settled(shown: [shown], at: now) { try client.record(event) }
        try count(push, .influenced)
    }

    private func count(
        _ push: Push, _ kind: Event.Kind, action: String? = nil, text: String? = nil, value: Double? = nil
    ) throws {
        let id = try #require(push.messageID)
        events.insert(Counted(messageID: id, kind: kind, action: action, text: text, value: value))
    }
}

extension Phone {
    /// Works on many phones, some at the same time.
    static func each(_ phones: [Phone], _ body: @escaping @Sendable (Phone) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, phone) in phones.enumerated() {
                if index >= 16 { try await group.next() }
                group.addTask { try await body(phone) }
            }
            try await group.waitForAll()
        }
    }
}
