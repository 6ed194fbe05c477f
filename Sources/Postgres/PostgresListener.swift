public import EventLoop
public import Logging

/// Listens to channels on its own connection, and reconnects when the connection is lost.
///
/// A sequence without a task behind it: it connects, waits and reconnects inside `next()`, and ends
/// when the task is cancelled. One iterator at a time does the listening.
public struct PostgresListener: AsyncSequence, Sendable {
    public enum Event: Hashable, Sendable {
        /// Listening has started. Notifications before this event may be lost, so read the tables now.
        case listening
        case notification(PostgresNotification)
    }

    let configuration: PostgresConfiguration
    let channels: [String]
    let loop: EventLoop
    let backoff: Backoff
    let logger: Logger
    let outage: SharedOutage

    /// Listeners that share an `outage` log it once.
    public init(
        _ configuration: PostgresConfiguration, channels: [String], on loop: EventLoop, backoff: Backoff = Backoff(),
        logger: Logger, outage: SharedOutage = SharedOutage()
    ) {
        self.configuration = configuration
        self.channels = channels
        self.loop = loop
        self.backoff = backoff
        self.logger = logger
        self.outage = outage
    }

    public func makeAsyncIterator() -> Iterator { Iterator(listener: self, backoff: backoff) }

    public struct Iterator: AsyncIteratorProtocol {
        let listener: PostgresListener
        var backoff: Backoff
        var connection: PostgresConnection?

        /// Nil only when the task is cancelled.
        public mutating func next() async -> Event? {
            while !Task.isCancelled {
                guard let connection else {
                    if await connect() { return .listening }
                    continue
                }
                switch await connection.nextNotification() {
                case .notification(let notification): return .notification(notification)
                case .overflow: return .listening
                case .end:
                    await connection.close()
                    self.connection = nil
                }
            }
            await connection?.close()
            connection = nil
            return nil
        }

        /// Returns whether it is listening. After a failure it pauses before it returns.
        private mutating func connect() async -> Bool {
            do throws(PostgresError) {
                let connection = try await PostgresConnection.connect(
                    listener.configuration, on: listener.loop, logger: listener.logger)
                do throws(PostgresError) {
                    for channel in listener.channels {
                        let name = channel.split(separator: "\"", omittingEmptySubsequences: false)
                        try await connection.execute("LISTEN \"\(unescaped: name.joined(separator: "\"\""))\"")
                    }
                } catch {
                    await connection.close()
                    throw error
                }
                self.connection = connection
                backoff.succeeded()
                listener.outage.succeeded("listener connected again", in: listener.logger)
                return true
            } catch {
                guard error.kind != .cancelled else { return false }
                listener.outage.failed("listener connection failed", because: "\(error)", in: listener.logger)
                // A cancelled pause ends the loop above.
                do { try await listener.loop.sleep(for: backoff.failed()) } catch { return false }
                return false
            }
        }
    }
}
