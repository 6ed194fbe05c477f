import EventLoop
import Store

/// A run that this process plans: its rules, and the size of a step. A value: the planner reports each step and its duration.
struct OpenPlan {
    /// The target duration of a step: other work waits this long.
    static let target = Duration.milliseconds(100)
    static let smallest = 2_000

    var rules: PlanRules?
    var rulesReadAt = MonotonicTime.now()
    private(set) var size = PlanStore.stepSize

    /// Whether the last step found few recipients.
    private(set) var isSparse = false

    /// Halves the size after a slow step, and doubles it after a fast one.
    mutating func took(_ duration: Duration, _ step: PlanStore.Step) {
        isSparse = step.isSparse
        if duration > Self.target {
            size = max(Self.smallest, size / 2)
        } else if duration < Self.target / 4 {
            size = min(PlanStore.stepSize, size * 2)
        }
    }
}
