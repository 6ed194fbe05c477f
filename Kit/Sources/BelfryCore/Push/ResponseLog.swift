import Foundation

/// `HandledResponses` in its file, from any thread.
final class ResponseLog: Sendable {
    private let stored: StoredValue<HandledResponses>
    private let known = Guarded<HandledResponses?>(nil)

    init(_ stored: StoredValue<HandledResponses>) { self.stored = stored }

    func handle(_ response: ResponseEvent, at date: Date) throws -> Bool {
        try known.withLock { known in
            var responses = loaded(known)
            let isNew = responses.handle(response, at: date)
            known = responses
            if isNew { try stored.write(responses) }
            return isNew
        }
    }

    func convertedMessage(at date: Date) -> String? { known.withLock { loaded($0).convertedMessage(at: date) } }

    private func loaded(_ known: HandledResponses?) -> HandledResponses {
        if let known { return known }
        // A file that is locked or damaged costs no more than a second event of a push, which the server counts once.
        return stored.value() ?? HandledResponses()
    }
}
