import EventLoop
import Store

/// A run that this process plans: its rules, and the size of a step. A value: the planner reports each step and its
/// duration.
struct OpenPlan {
    /// The target duration of a step: other work waits this long.
    static let target = Duration.milliseconds(100)
    static let smallest = 2_000

    var rules: PlanRules?
    var rulesReadAt = MonotonicTime.now()
    /// The first step is small, so that the first pushes leave immediately.
    private(set) var size = smallest

    /// Steps of the smallest size in a row that took too long.
    private var hopelessSteps = 0
    /// Steps of the smallest size after which the run is paused.
    static let maximumHopelessSteps = 2
    /// Whether the last step found few recipients.
    private(set) var isSparse = false

    /// Halves the size after a slow step, and doubles it after a fast one.
    mutating func took(_ duration: Duration, _ step: PlanStore.Step) {
        isSparse = step.isSparse
        hopelessSteps = 0
        if duration > Self.target {
            size = max(Self.smallest, size / 2)
        } else if duration < Self.target / 4 {
            size = min(PlanStore.stepSize, size * 2)
        }
    }

    /// A step was given up. The next one is much smaller; false when there is no use in going on.
    mutating func tookTooLong() -> Bool {
        if size == Self.smallest { hopelessSteps += 1 }
        size = max(Self.smallest, size / 8)
        return hopelessSteps < Self.maximumHopelessSteps
    }
}
