import APNS

/// How a run fares with Apple, as far as this process sends it and since it was last resumed. A value.
struct RunHealth: Equatable {
    /// Before so many answers nothing is concluded.
    static let minimumAnswers = 100

    private(set) var answers = 0
    private(set) var rejections = 0
    private var reasons: [ReasonTable.Number: Int] = [:]
    /// The brake has stopped the run once: who resumes it lets the rest go.
    private var isReleased = false

    /// Takes a window's answers in. What is put off, or unknown, is no answer yet.
    mutating func count(accepted: Int, rejected: [ReasonTable.Number: Int]) {
        let more = rejected.values.reduce(0, +)
        answers += accepted + more
        rejections += more
        reasons.merge(rejected, uniquingKeysWith: +)
    }

    /// Whether more are rejected than so many in a hundred. True once only.
    mutating func brakes(at percent: Int?) -> Bool {
        guard let percent, !isReleased, answers >= Self.minimumAnswers, rejections * 100 > answers * percent else {
            return false
        }
        isReleased = true
        return true
    }

    /// In a hundred, at most 100.
    var rejectionPercent: Int { answers == 0 ? 0 : (rejections * 100 + answers / 2) / answers }

    /// The reason that most rejections give.
    var mainReason: ReasonTable.Number? {
        reasons.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}
