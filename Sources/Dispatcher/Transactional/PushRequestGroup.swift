import Campaigns
import Store

/// Requests that are stored together, and the answer to each. Of requests with the same idempotency key only the first
/// is executed.
struct PushRequestGroup {
    struct Open {
        let index: Int
        let request: PushRequest
    }

    private struct Name: Hashable {
        let app: App.ID
        let key: IdempotencyKey.Name
    }

    private let requests: [PushRequest]
    private var decided: [PushSubmission?]
    /// The first request that has the same name.
    private let firsts: [Int]

    init(_ requests: [PushRequest]) {
        self.requests = requests
        decided = [PushSubmission?](repeating: nil, count: requests.count)
        var named: [Name: Int] = [:]
        firsts = requests.enumerated().map { index, request in
            guard let key = request.key else { return index }
            let name = Name(app: request.app, key: key.name)
            if let first = named[name] { return first }
            named[name] = index
            return index
        }
    }

    /// The requests still to be executed.
    var open: [Open] {
        requests.indices.filter { decided[$0] == nil && firsts[$0] == $0 }.map {
            Open(index: $0, request: requests[$0])
        }
    }

    var openApps: Set<App.ID> { Set(open.map(\.request.app)) }

    var openKeys: [(app: App.ID, key: IdempotencyKey.Name)] {
        open.compactMap { open in open.request.key.map { (open.request.app, $0.name) } }
    }

    mutating func answer(_ index: Int, _ answer: PushSubmission) { decided[index] = answer }

    /// There is no such app.
    mutating func refuse(_ app: App.ID) {
        for open in open where open.request.app == app { decided[open.index] = .noSuchApp }
    }

    /// An earlier request used the key.
    mutating func answer(_ found: PushKeyStore.Found) {
        // Compare each body: of two requests with the same key only one may be the repetition.
        for (index, request) in requests.enumerated() where request.app == found.app {
            guard let key = request.key, key.name == found.key else { continue }
            decided[index] = found.answer(to: key)
        }
    }

    /// Complete when no request is open.
    var answers: [PushSubmission] {
        requests.indices.map { index in
            let first = firsts[index]
            let answer = decided[first] ?? .noSuchApp
            if let own = decided[index] { return own }
            guard first != index, case .accepted(let receipt) = answer else { return answer }
            return requests[first].key == requests[index].key ? .alreadyAccepted(receipt) : .keyInUse
        }
    }
}
