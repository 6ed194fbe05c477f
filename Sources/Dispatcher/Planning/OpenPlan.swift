import EventLoop
import Store

/// A run that this process plans: by which rules, and how far in one step. A value: it is told what a step took.
struct OpenPlan {
    /// Other work waits no longer for a step.
    static let target = Duration.milliseconds(100)
    static let smallest = 2_000

    var rules: PlanRules?
    var rulesReadAt = MonotonicTime.now()
    private(set) var size = PlanStore.stepSize

    /// Half as far when it took too long, twice as far when it was quick.
    mutating func stepTook(_ duration: Duration) {
        if duration > Self.target {
            size = max(Self.smallest, size / 2)
        } else if duration < Self.target / 4 {
            size = min(PlanStore.stepSize, size * 2)
        }
    }
}
