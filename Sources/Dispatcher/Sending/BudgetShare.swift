/// A batch's part of the process's budget of unresolved recipients. Never less than its unresolved recipients, stored or
/// to be stored.
struct BudgetShare {
    /// What a batch that asks for room gets.
    enum Room: Equatable {
        /// As many recipients may be declared.
        case granted(Int)
        /// None yet. A batch with a window on the wire asks again when that is answered; another one waits.
        case missing
    }

    private let budget: UnresolvedBudget
    private var taken = 0

    init(of budget: UnresolvedBudget) { self.budget = budget }

    /// Room beside the `unresolved` recipients of the batch, for at most `limit`.
    mutating func room(for limit: Int, beside unresolved: Int, _ purpose: UnresolvedBudget.Purpose) -> Room {
        let own = taken - unresolved
        if own >= limit || take(limit - own, purpose) { return .granted(limit) }
        let small = min(limit, UnresolvedBudget.smallWindow)
        return own >= small ? .granted(own) : .missing
    }

    /// The recipients of a stored flush have outcomes, but for `unresolved`.
    mutating func keep(_ unresolved: Int) {
        budget.giveBack(taken - unresolved)
        taken = unresolved
    }

    private mutating func take(_ count: Int, _ purpose: UnresolvedBudget.Purpose) -> Bool {
        guard budget.take(count, for: purpose) else { return false }
        taken += count
        return true
    }
}
