import Foundation

/// Decides what to do after an answer. Delays are durations for a monotonic clock, so a clock that the person sets
/// neither stalls nor floods the server.
struct RetryPolicy: Sendable {
    /// How a request ended.
    enum Outcome: Sendable, Equatable {
        /// `retryAfter` is the header as it came.
        case status(Int, retryAfter: String? = nil)
        /// There was no answer: no network, a timeout, or a TLS failure.
        case transportError
    }

    /// The next step for the request.
    enum Action: Sendable, Equatable {
        /// The server took it.
        case done
        /// Seconds to wait before the next attempt.
        case retry(after: TimeInterval)
        /// The key or the address is wrong. Report it once, keep the queue, and send nothing until the next launch.
        case stop(status: Int)
        /// The request is too large: send its halves.
        case split
        /// The request can never succeed: report it once, and remove it.
        case drop(status: Int)
        /// The outcome arrived after `stop`: nothing more is sent or reported.
        case nothing
    }

    /// The first delay; each later one doubles it.
    static let firstDelay: TimeInterval = 1
    /// The longest delay of the client's own choice.
    static let maximumDelay: TimeInterval = 15 * 60
    /// The longest `Retry-After` that is obeyed. A longer one is a server's mistake and would silence the app.
    static let maximumRetryAfter: TimeInterval = 60 * 60

    private var failures = 0
    /// True after `stop`. Make a new policy when the configuration changes.
    private(set) var isStopped = false

    /// Nothing has failed.
    init() {}

    /// `date` only reads a `Retry-After` that is a date. The generator spreads the attempts of many devices.
    mutating func received(
        _ outcome: Outcome, at date: Date, using generator: inout some RandomNumberGenerator
    ) -> Action {
        guard !isStopped else { return .nothing }
        guard case .status(let status, let retryAfter) = outcome else { return retry(nil, using: &generator) }
        switch status {
        case 200..<300:
            failures = 0
            return .done
        // The address is wrong: a redirect would carry the key elsewhere.
        case 300..<400, 401, 403, 404:
            isStopped = true
            return .stop(status: status)
        case 413: return .split
        case 408, 425, 429, 500...:
            return retry(retryAfter.flatMap { Self.delay(retryAfter: $0, at: date) }, using: &generator)
        case 400..<500: return .drop(status: status)
        // Not an HTTP status of an answer: a broken proxy.
        default: return retry(nil, using: &generator)
        }
    }

    private mutating func retry(
        _ retryAfter: TimeInterval?, using generator: inout some RandomNumberGenerator
    ) -> Action {
        let longest = min(Self.firstDelay * pow(2, Double(failures)), Self.maximumDelay)
        failures = min(failures + 1, 20)
        let jitter = Double.random(in: 0.5...1, using: &generator)
        guard let retryAfter else { return .retry(after: longest * jitter) }
        // Never earlier than the server asks, and not all devices at the same moment.
        return .retry(after: min(retryAfter, Self.maximumRetryAfter) + longest * jitter)
    }

    /// Seconds of a `Retry-After`, in either form; nil if it can't be read. RFC 9110 §10.2.3
    static func delay(retryAfter: String, at date: Date) -> TimeInterval? {
        let text = retryAfter.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return TimeInterval(text)
        }
        let formatter = DateFormatter()
        // Without this locale the person's calendar and language read the date.
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text).map { max($0.timeIntervalSince(date), 0) }
    }
}
