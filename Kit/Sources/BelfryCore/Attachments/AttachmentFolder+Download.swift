import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension AttachmentFolder {
    /// Downloads the file into the folder, which is swept before. Nil if the file can't be shown, which is reported.
    /// `seconds` is the time for all of it.
    package func download(
        _ attachment: Push.Attachment, at now: Date, within seconds: TimeInterval,
        _ session: URLSessionConfiguration, report: @Sendable (Diagnostic) -> Void
    ) async -> URL? {
        do {
            try sweep(at: now)
            switch await AttachmentLoader.load(attachment, to: try place(at: now), within: seconds, session) {
            case .success(let file): return file
            case .failure(let failure): report(failure.diagnostic)
            }
        } catch {
            report(Diagnostic(.storage, "attachments", "The folder of files can't be used: \(error)"))
        }
        return nil
    }
}
