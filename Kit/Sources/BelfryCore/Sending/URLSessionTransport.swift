import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests over a session of its own, without cookies and caches. It follows no redirect, which would carry the key to
/// another server. Large bodies are sent as gzip.
public final class URLSessionTransport: Transport {
    /// Seconds without a byte after which a request has failed.
    public static let timeout: TimeInterval = 30
    /// Bytes of an answer; a longer one has failed.
    public static let maximumAnswer = 4 * 1024 * 1024

    private let session: URLSession
    private let receiver = Receiver()
    private let encoding = Guarded(BodyEncoding())

    /// A session of its own, without cookies and cache.
    public convenience init() { self.init(.ephemeral) }

    /// Tests answer by a protocol of the configuration.
    init(_ configuration: URLSessionConfiguration) {
        configuration.timeoutIntervalForRequest = Self.timeout
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    public func send(_ request: URLRequest) async -> TransportResult {
        guard let encoded = encoding.withLock({ $0 }).encoded(request) else { return await exchange(request) }
        let result = await exchange(encoded)
        return encoding.withLock { $0.received(result) } ? await exchange(request) : result
    }

    private func exchange(_ request: URLRequest) async -> TransportResult {
        let task = session.dataTask(with: request)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                receiver.add(task, continuation)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// Collects the answers of a session's tasks.
private final class Receiver: NSObject, URLSessionDataDelegate, Sendable {
    private struct Exchange {
        var body = Data()
        let continuation: CheckedContinuation<TransportResult, Never>
    }

    private let exchanges = Guarded<[Int: Exchange]>([:])

    func add(_ task: URLSessionTask, _ continuation: CheckedContinuation<TransportResult, Never>) {
        exchanges.withLock { $0[task.taskIdentifier] = Exchange(continuation: continuation) }
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = exchanges.withLock { exchanges in
            exchanges[dataTask.taskIdentifier]?.body.append(data)
            return (exchanges[dataTask.taskIdentifier]?.body.count ?? 0) > URLSessionTransport.maximumAnswer
        }
        if isTooLong { dataTask.cancel() }
    }

    func urlSession(
        _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse,
        newRequest _: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        guard error == nil, let response = task.response as? HTTPURLResponse else {
            exchange.continuation.resume(returning: .failed(error?.localizedDescription ?? "no answer"))
            return
        }
        var headers: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
            headers[name.lowercased()] = value
        }
        exchange.continuation.resume(
            returning: .answer(.init(status: response.statusCode, headers: headers, body: exchange.body)))
    }
}
