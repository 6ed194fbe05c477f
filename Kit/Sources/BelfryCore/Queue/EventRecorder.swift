import Dispatch
import Foundation

/// Writes events into one process's folder.
struct EventRecorder: Sendable {
    let folder: URL

    /// Writes a file and renames it into place, so that a process that is ended at any point leaves a whole event or
    /// none. The event survives the end of the process; a loss of power within the next seconds may still lose it.
    func record(_ event: Event, at date: Date) throws {
        // The uptime orders events of the same millisecond.
        let file = EventFile(at: date, uptime: DispatchTime.now().uptimeNanoseconds)
        let temporary = folder.appendingPathComponent(file.temporaryName)
        let bytes = try JSONEncoder().encode(event)
        do {
            try bytes.write(to: temporary, options: Self.options)
        } catch CocoaError.fileNoSuchFile {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try bytes.write(to: temporary, options: Self.options)
        }
        try FileManager.default.moveItem(at: temporary, to: folder.appendingPathComponent(file.name))
    }

    #if os(iOS)
        // A push can arrive before the first unlock, when protected files can be neither made nor read.
        private static let options: Data.WritingOptions = .noFileProtection
    #else
        private static let options: Data.WritingOptions = []
    #endif
}
