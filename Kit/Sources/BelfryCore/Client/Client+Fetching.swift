import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Client {
    /// Asks for something that the app keeps a copy of. Returns true if the server has just sent or confirmed it; without
    /// that the copy stays.
    func fetch<Value>(
        _ path: [String], query: [(String, String?)] = [], into copy: inout ServerCopy<Value>
    ) async -> Bool {
        guard let answer = await answer(to: path, query, copy.tag) else { return false }
        do {
            try copy.received(status: answer.status, tag: answer.headers["etag"], body: answer.body)
            return true
        } catch {
            reports.report(Diagnostic(.unreadable, path.joined(separator: "-"), "\(error)"))
            return false
        }
    }

    /// Nil unless the status is 200 or 304.
    private func answer(
        to path: [String], _ query: [(String, String?)], _ tag: String?
    ) async -> TransportResult.Answer? {
        guard configuration.mistake == nil else { return nil }
        let result = await transport.send(configuration.request("GET", path, query: query, tag: tag))
        note(result)
        guard case .answer(let answer) = result else { return nil }
        switch answer.status {
        case 200, 304: return answer
        case 401, 403, 404: reports.report(answer.diagnostic(.configuration))
        case 400..<500: reports.report(answer.diagnostic(.refused))
        default: break
        }
        return nil
    }

    /// An update of the kit may read them.
    func reportUnreadable(_ count: Int?, _ names: String) {
        guard let count, count > 0 else { return }
        report(
            Diagnostic(
                .unreadable, "elements",
                "This version of the kit can't read some \(names), which it leaves out: \(count)."))
    }

    func write<Value>(_ value: Value, to stored: StoredValue<Value>) {
        do { try stored.write(value) } catch {
            reports.report(Diagnostic(.storage, "copy", "What the server said can't be stored: \(error)"))
        }
    }
}
