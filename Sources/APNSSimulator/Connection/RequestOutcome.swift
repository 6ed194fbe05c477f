import HTTP2

/// The outcome of one request: the result of its check, combined with the fault that applies to it.
struct RequestOutcome: Equatable {
    enum Action: Equatable {
        case answer
        case refuse(APNSRejection)
        case refuseWithText(status: Int, body: String)
        case noAnswer
        case reset(HTTP2Code)
        case disconnect
    }

    var action: Action
    /// Whether the push is counted and delivered, even if the sender does not learn of it.
    var isAccepted: Bool
    /// Whether a fault changed the outcome.
    var hasFault = false
    var goAway: Fault.GoAway?
    var streamLimit: Int?
    var beginsRejectingTokens = false

    /// `isProcessed` returns whether this stream is still processed after the given GOAWAY.
    init(rejection: APNSRejection?, fault: Fault?, rejectsAllTokens: Bool, isProcessed: (Fault.GoAway) -> Bool) {
        let rejection = rejectsAllTokens ? .expiredProviderToken : rejection
        action = rejection.map { .refuse($0) } ?? .answer
        isAccepted = rejection == nil
        hasFault = fault != nil || rejectsAllTokens
        switch fault {
        case nil, .delay, .goAwayBeforeSettings, .refuseConnection: return
        case .answer(let invented): refuse(.refuse(invented))
        case .answerText(let status, let body): refuse(.refuseWithText(status: status, body: body))
        case .noAnswer(let accepted): lose(.noAnswer, accepted)
        case .reset(let code, let accepted): lose(.reset(code), accepted)
        case .disconnect(let accepted): lose(.disconnect, accepted)
        case .goAway(let goAway):
            self.goAway = goAway
            if !isProcessed(goAway) { lose(.noAnswer, false) }
        case .expiredTokenFromNowOn:
            beginsRejectingTokens = true
            refuse(.refuse(.expiredProviderToken))
        case .streamLimit(let limit): streamLimit = limit
        }
    }

    /// Replaces the answer by an injected one. A request that Apple would reject keeps its rejection.
    private mutating func refuse(_ invented: Action) {
        guard action == .answer else { return }
        action = invented
        isAccepted = false
    }

    private mutating func lose(_ way: Action, _ accepted: Bool) {
        action = way
        isAccepted = isAccepted && accepted
    }

    var status: Int? {
        switch action {
        case .answer: 200
        case .refuse(let rejection): rejection.status
        case .refuseWithText(let status, _): status
        case .noAnswer, .reset, .disconnect: isAccepted ? 200 : nil
        }
    }

    var reason: String? {
        if case .refuse(let rejection) = action { rejection.reason } else { nil }
    }
}
