import HTTP2

/// What becomes of one request, from what was wrong with it and what goes wrong by a fault.
struct Resolution: Equatable {
    enum Action: Equatable {
        case answer
        case refuse(AppleRefusal)
        case refuseWithText(status: Int, body: String)
        case keepSilent
        case reset(HTTP2Code)
        case disconnect
    }

    var action: Action
    /// Counted and delivered, whether the sender learns of it or not.
    var isAccepted: Bool
    /// A fault had a part in it.
    var isDisturbed = false
    var goAway: Fault.GoAway?
    var streamLimit: Int?
    var beginsWedge = false

    /// `isProcessed` says whether a GOAWAY leaves this stream among the processed ones.
    init(refusal: AppleRefusal?, fault: Fault?, isWedged: Bool, isProcessed: (Fault.GoAway) -> Bool) {
        let refusal = isWedged ? .expiredProviderToken : refusal
        action = refusal.map { .refuse($0) } ?? .answer
        isAccepted = refusal == nil
        isDisturbed = fault != nil || isWedged
        switch fault {
        case nil, .delay, .goAwayBeforeSettings, .refuseConnection: return
        case .answer(let invented): refuse(.refuse(invented))
        case .answerText(let status, let body): refuse(.refuseWithText(status: status, body: body))
        case .noAnswer(let accepted): lose(.keepSilent, accepted)
        case .reset(let code, let accepted): lose(.reset(code), accepted)
        case .disconnect(let accepted): lose(.disconnect, accepted)
        case .goAway(let goAway):
            self.goAway = goAway
            if !isProcessed(goAway) { lose(.keepSilent, false) }
        case .wedge:
            beginsWedge = true
            refuse(.refuse(.expiredProviderToken))
        case .streamLimit(let limit): streamLimit = limit
        }
    }

    /// A request that was refused for its own sake keeps that answer.
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
        case .refuse(let refusal): refusal.status
        case .refuseWithText(let status, _): status
        case .keepSilent, .reset, .disconnect: isAccepted ? 200 : nil
        }
    }

    var reason: String? {
        if case .refuse(let refusal) = action { refusal.reason } else { nil }
    }
}
