import Foundation

/// Sends the events of the queue. Each process has one; a file is sent by whichever claims it.
public actor EventSender {
    /// The state of the queue after `flush`.
    public enum Ending: Sendable, Equatable {
        /// The server has everything that was there.
        case done
        /// Nothing can be sent for so many seconds.
        case waiting(TimeInterval)
        /// The server does not have the device, so its events wait until it is registered again.
        case unregistered
        /// The address or the key is wrong. Nothing is sent until the next launch.
        case stopped
    }

    /// The server's answer to a request about a device that it does not have.
    private static let unknownDevice = "device-not-found"
    /// The server's reason to refuse one event of a device that it does not have.
    private static let unknownInstallation = "unknown-device"

    private let queue: EventQueue
    private let configuration: BelfryConfiguration
    private let transport: any Transport
    private let diagnostics: Diagnostics
    private let clock: any ClientClock
    private let address: @Sendable () -> EventAddress?
    private var retry = RetryPolicy()
    /// A second call waits for the first, which sees its events.
    private var running: Task<Ending, Never>?

    /// Nothing is read or sent before the first `flush`.
    public init(queue: EventQueue, configuration: BelfryConfiguration, transport: any Transport) {
        self.init(
            queue: queue, configuration: configuration, transport: transport, diagnostics: Diagnostics(),
            clock: SystemClock())
    }

    package init(
        queue: EventQueue, configuration: BelfryConfiguration, transport: any Transport, diagnostics: Diagnostics,
        clock: any ClientClock,
        address: @escaping @Sendable () -> EventAddress? = { EventAddress(path: ["acknowledgements"]) }
    ) {
        self.queue = queue
        self.configuration = configuration
        self.transport = transport
        self.diagnostics = diagnostics
        self.clock = clock
        self.address = address
    }

    /// Sends what is in the queue until it is empty or the server has to be waited for. Never throws: what could not be
    /// sent stays in the queue.
    @discardableResult
    public func flush() async -> Ending { await flush(until: EventFile.endOfTime) }

    /// Events that were recorded later than `last` stay, too.
    @discardableResult
    func flush(until last: Date) async -> Ending {
        if let running { return await running.value }
        let task = Task { await self.sendAll(until: last) }
        running = task
        // The time of a service extension ends: a cancelled request gives its events back.
        let ending = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        running = nil
        return ending
    }

    private func sendAll(until last: Date) async -> Ending {
        guard !retry.isStopped else { return .stopped }
        guard let address = address() else { return .done }
        while true {
            let found: EventQueue.Claims
            do { found = try await queue.claim(at: clock.now, until: last) } catch {
                diagnostics.report(Diagnostic(.storage, "queue", "The queue of events can't be read: \(error)"))
                return .done
            }
            if found.dropped > 0 {
                diagnostics.report(
                    Diagnostic(
                        .storage, "too-many-events",
                        "More than \(EventQueue.maximumWaiting) events waited, so the oldest were dropped."))
            }
            if found.corrupt > 0 {
                diagnostics.report(
                    Diagnostic(.storage, "damaged-events", "Files in the folder of events were no events."))
            }
            guard !found.claims.isEmpty else { return .done }
            if let ending = await send(found.claims, to: address) { return ending }
        }
    }

    /// Nil when these events are done.
    private func send(_ claims: [EventQueue.Claim], to address: EventAddress) async -> Ending? {
        var events = claims.map(\.event)
        if let installation = address.installation {
            for index in events.indices { events[index].installation = installation }
        }
        let batches = (try? EventBatch.split(events)) ?? [claims.indices]
        var delivery = EventDelivery(batches: batches)
        while let range = delivery.next {
            let (answer, ending) = await post(Array(events[range]), to: address.path)
            switch delivery.received(answer) {
            case .remove(let sent): await remove(claims[sent])
            case .drop(let index, let reason):
                diagnostics.report(Diagnostic(.refused, reason, "The server never takes an event, so it was dropped."))
                await remove(claims[index...index])
            case .release(let ranges):
                for each in ranges { try? await queue.release(Array(claims[each])) }
                return ending
            case .halve, .nothing: break
            }
        }
        return nil
    }

    /// Should the files stay, the events are sent again, and the server counts them once.
    private func remove(_ claims: ArraySlice<EventQueue.Claim>) async {
        do { try await queue.remove(Array(claims)) } catch {
            diagnostics.report(Diagnostic(.storage, "queue", "A sent event can't be removed: \(error)"))
        }
    }

    private func post(_ events: [Event], to path: [String]) async -> (EventDelivery.Answer, Ending) {
        guard let body = try? EventBatch.body(events, sentAt: clock.now) else {
            return (.refused(reason: "not-encodable"), .done)
        }
        let result = await transport.send(configuration.request("POST", path, body: body))
        var generator = SystemRandomNumberGenerator()
        guard case .answer(let answer) = result else {
            return (.postponed, ending(of: retry.received(.transportError, at: clock.now, using: &generator)))
        }
        // No later request can have another result: the device is registered before its events are sent.
        if answer.code == Self.unknownDevice {
            diagnostics.report(answer.diagnostic(.refused))
            return (.accepted, .done)
        }
        let action = retry.received(answer.outcome, at: clock.now, using: &generator)
        switch action {
        case .done:
            // All events of such a request are of one device, so the server has stored none of them.
            return read(answer) ? (.accepted, .done) : (.postponed, .unregistered)
        case .split: return (.refused(reason: answer.code ?? "body-too-large"), .done)
        case .drop: return (.refused(reason: answer.code ?? "status-\(answer.status)"), .done)
        case .stop:
            diagnostics.report(answer.diagnostic(.configuration))
            return (.postponed, .stopped)
        case .retry, .nothing: return (.postponed, ending(of: action))
        }
    }

    private func ending(of action: RetryPolicy.Action) -> Ending {
        if case .retry(let seconds) = action { .waiting(seconds) } else { .stopped }
    }

    /// Returns false if the server does not have the device of the events.
    private func read(_ answer: TransportResult.Answer) -> Bool {
        let stored = answer.json
        for (kind, name) in [(Diagnostic.Kind.refused, "failed"), (.warning, "warnings")] {
            for entry in stored?[name]?.array ?? [] {
                let code = entry["code"]?.string
                if code == Self.unknownInstallation { return false }
                diagnostics.report(Diagnostic(kind, code ?? "event", entry["message"]?.string ?? ""))
            }
        }
        return true
    }
}
