import APNS

/// Apple's answers to the pushes of a run that this process has sent since the run was last resumed. A value.
/// Docs/decisions/sending.md explains both limits.
struct RunHealth: Equatable {
    /// With fewer answers the threshold does not apply.
    static let minimumAnswers = 100
    /// Above this number all counts are halved, so that hours of success don't hide a sudden failure.
    static let maximumRecentAnswers = 5_000
    /// Mismatches that are probed in the other environment even if they exceed the share below: a developer's own
    /// devices.
    static let toleratedMismatches = 10
    /// In percent. If more tokens are unknown, the host is wrong, not the tokens.
    static let mismatchPercent = 20

    /// Recent answers, and how many of them are rejections.
    private(set) var answers = 0
    private(set) var rejections = 0
    private var reasons: [ReasonTable.Number: Int] = [:]
    /// Of the whole run, never halved: corrections of devices are permanent.
    private var allAnswers = 0
    private var mismatches = 0
    /// The threshold has stopped the run once: after a resume it no longer applies.
    private var isThresholdDisabled = false

    /// Adds a window's answers. Deferred and unknown pushes are not answers. `mismatches` are those of the rejected
    /// whose token the environment or the topic does not know.
    mutating func count(accepted: Int, rejected: [ReasonTable.Number: Int], mismatches: Int = 0) {
        let more = rejected.values.reduce(0, +)
        answers += accepted + more
        rejections += more
        reasons.merge(rejected, uniquingKeysWith: +)
        allAnswers += accepted + more
        self.mismatches += mismatches
        while answers > Self.maximumRecentAnswers { decay() }
    }

    private mutating func decay() {
        answers /= 2
        rejections /= 2
        reasons = reasons.mapValues { $0 / 2 }
    }

    // MARK: Rejection threshold

    /// Whether the share of recent rejections exceeds `percent`, until the threshold is disabled.
    func exceeds(at percent: Int?) -> Bool {
        guard let percent, !isThresholdDisabled, answers >= Self.minimumAnswers else { return false }
        return rejections * 100 > answers * percent
    }

    /// Called when the pause is stored.
    mutating func disableThreshold() { isThresholdDisabled = true }

    /// The share of rejections, 0 to 100.
    var rejectionPercent: Int { answers == 0 ? 0 : (rejections * 100 + answers / 2) / answers }

    /// The most frequent reason of recent rejections.
    var commonestReason: ReasonTable.Number? {
        reasons.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    // MARK: Environment probe

    /// Whether the mismatches of the whole run are few enough to be wrong tokens and not a wrong host. They are counted
    /// over all batches: a few in each of many batches are many.
    var allowsEnvironmentProbe: Bool { Self.isWithinMismatchLimit(mismatches, of: allAnswers) }

    /// Whether most tokens are good, so that the others are bad. Here a few are not tolerated in a small run: a device that
    /// is retired gets nothing before the app registers it again.
    var allowsRetiring: Bool { mismatches * 100 <= allAnswers * Self.mismatchPercent }

    static func isWithinMismatchLimit(_ mismatches: Int, of answers: Int) -> Bool {
        mismatches <= toleratedMismatches || mismatches * 100 <= answers * mismatchPercent
    }
}
