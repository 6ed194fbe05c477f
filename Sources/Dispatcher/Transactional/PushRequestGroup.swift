import Campaigns
import Store

/// Requests that are taken together, and what is answered to each. Of those with one idempotency key only the first is
/// carried out.
struct PushRequestGroup {
    struct Open {
        let place: Int
        let request: PushRequest
    }

    private struct Name: Hashable {
        let app: App.ID
        let key: String
    }

    private let requests: [PushRequest]
    private var decided: [PushAnswer?]
    /// The first request that has the same name.
    private let firsts: [Int]

    init(_ requests: [PushRequest]) {
        self.requests = requests
        decided = [PushAnswer?](repeating: nil, count: requests.count)
        var named: [Name: Int] = [:]
        firsts = requests.enumerated().map { place, request in
            guard let key = request.key else { return place }
            let name = Name(app: request.app, key: key.text)
            if let first = named[name] { return first }
            named[name] = place
            return place
        }
    }

    /// To be carried out yet.
    var open: [Open] {
        requests.indices.filter { decided[$0] == nil && firsts[$0] == $0 }.map {
            Open(place: $0, request: requests[$0])
        }
    }

    var openApps: Set<App.ID> { Set(open.map(\.request.app)) }

    var openKeys: [(app: App.ID, key: String)] {
        open.compactMap { open in open.request.key.map { (open.request.app, $0.text) } }
    }

    mutating func answer(_ place: Int, _ answer: PushAnswer) { decided[place] = answer }

    /// There is no such app.
    mutating func refuse(_ app: App.ID) {
        for open in open where open.request.app == app { decided[open.place] = .noSuchApp }
    }

    /// Another request was taken under the key.
    mutating func answer(_ found: PushKeyStore.Found) {
        // Each by its own body: of two under one key only one may be the repetition.
        for (place, request) in requests.enumerated() where request.app == found.app {
            guard let key = request.key, key.text == found.key else { continue }
            decided[place] = found.answer(to: key)
        }
    }

    /// When nobody is open any more.
    var answers: [PushAnswer] {
        requests.indices.map { place in
            let first = firsts[place]
            let answer = decided[first] ?? .noSuchApp
            if let own = decided[place] { return own }
            guard first != place, case .taken(let receipt) = answer else { return answer }
            return requests[first].key == requests[place].key ? .takenBefore(receipt) : .keyInUse
        }
    }
}
