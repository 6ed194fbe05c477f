import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Downloads one file to disk. It is a data task, not a download task: the first bytes and their number are seen while
/// they arrive, and the file of a process that iOS ends is in the kit's folder, which the next push sweeps.
///
/// Unchecked, because the session calls it on one serial queue, and everything else is set before the task starts.
final class AttachmentLoader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Outcome = Result<URL, AttachmentDownload.Failure>

    /// Seconds without a byte after which the download has failed.
    static let timeout: TimeInterval = 10

    private var download: AttachmentDownload
    private let place: AttachmentFolder.Place
    private var file: OutputStream?
    private var isWritten = true
    private var continuation: CheckedContinuation<Outcome, Never>?

    private init(_ attachment: Push.Attachment, _ place: AttachmentFolder.Place) {
        download = AttachmentDownload(attachment)
        self.place = place
    }

    /// Returns the file, which has the extension of its type; the caller removes it. A cancelled or failed download leaves
    /// no file. `seconds` is the time for all of it.
    static func load(
        _ attachment: Push.Attachment, to place: AttachmentFolder.Place, within seconds: TimeInterval,
        _ configuration: URLSessionConfiguration
    ) async -> Outcome {
        configuration.timeoutIntervalForRequest = min(timeout, seconds)
        configuration.timeoutIntervalForResource = seconds
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let loader = AttachmentLoader(attachment, place)
        let session = URLSession(configuration: configuration, delegate: loader, delegateQueue: queue)
        let task = session.dataTask(with: URLRequest(url: attachment.url))
        // The session keeps its delegate until then.
        defer { session.invalidateAndCancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loader.continuation = continuation
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }

    func urlSession(
        _: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let http = response as? HTTPURLResponse
        let action = download.answered(
            status: http?.statusCode ?? 0, mimeType: http?.value(forHTTPHeaderField: "Content-Type"),
            contentLength: response.expectedContentLength, address: response.url)
        // Foundation on Linux ignores the answer `cancel`.
        if action != .proceed { cancel(dataTask) }
        completionHandler(action == .proceed ? .allow : .cancel)
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard download.received(data) == .proceed, write(data) else { return cancel(dataTask) }
    }

    /// Nothing more is wanted, so the end of the task is not waited for: with a server that goes on sending, Foundation
    /// on Linux sometimes does not tell it.
    private func cancel(_ task: URLSessionTask) {
        task.cancel()
        finish(nil)
    }

    func urlSession(_: URLSession, task _: URLSessionTask, didCompleteWithError error: (any Error)?) {
        finish(error)
    }

    private func finish(_ error: (any Error)?) {
        guard let waiting = continuation else { return }
        continuation = nil
        file?.close()
        waiting.resume(returning: outcome(error))
    }

    private func outcome(_ error: (any Error)?) -> Outcome {
        do {
            switch download.ended() {
            case .success(let type) where error == nil && isWritten:
                let finished = place.finished(type)
                try FileManager.default.moveItem(at: place.partial, to: finished)
                return .success(finished)
            case .success: throw AttachmentDownload.Failure.interrupted
            case .failure(.unsupported) where error != nil: throw AttachmentDownload.Failure.interrupted
            case .failure(let failure): throw failure
            }
        } catch {
            // There may be none; what can't be removed is swept.
            try? FileManager.default.removeItem(at: place.partial)
            return .failure(error as? AttachmentDownload.Failure ?? .interrupted)
        }
    }

    /// False if the disk is full, or locked before the first unlock. A stream reports that; a file handle of iOS 13 raises
    /// an exception.
    private func write(_ data: Data) -> Bool {
        if file == nil {
            file = OutputStream(url: place.partial, append: false)
            file?.open()
        }
        isWritten =
            isWritten
            && data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
                var rest = bytes.bindMemory(to: UInt8.self)[...]
                while !rest.isEmpty {
                    guard let start = UnsafeBufferPointer(rebasing: rest).baseAddress else { return false }
                    let count = file?.write(start, maxLength: rest.count) ?? -1
                    guard count > 0 else { return false }
                    rest = rest.dropFirst(count)
                }
                return true
            }
        return isWritten
    }
}
