import BelfryCore
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The network of one phone, over connections that all phones share.
final class PhoneNetwork: Transport {
    enum Condition: Sendable {
        case online, offline
        /// The server has the request, and the phone never learns it.
        case losingAnswers
    }

    private let shared: URLSessionTransport
    private let condition = Guarded(Condition.online)
    private let seen = Guarded<[Int]>([])

    init(_ shared: URLSessionTransport) { self.shared = shared }

    func become(_ new: Condition) { condition.withLock { $0 = new } }

    /// The statuses of all answers, in their order.
    var statuses: [Int] { seen.withLock { $0 } }

    func send(_ request: URLRequest) async -> TransportResult {
        let condition = condition.withLock { $0 }
        if condition == .offline { return .failed("offline") }
        let result = await shared.send(request)
        if case .answer(let answer) = result { seen.withLock { $0.append(answer.status) } }
        return condition == .losingAnswers ? .failed("The answer was lost.") : result
    }
}
