import APNS

/// How a run fares with Apple, as far as this process sends it and since it was last resumed. A value.
struct RunHealth: Equatable {
    /// Before so many answers nothing is concluded.
    static let minimumAnswers = 100
    /// Beyond so many answers the older ones count half: what went well for hours must not hide that all goes wrong now.
    static let lateAnswers = 5_000
    /// Tokens that may be tried in the other environment although they are more than the share below: a developer's own
    /// phones.
    static let fewSuspects = 10
    /// In a hundred. Where more tokens are unknown, the host is the wrong one and not the tokens.
    static let suspectPercent = 20

    /// Answers of late, and how many of them are rejections.
    private(set) var answers = 0
    private(set) var rejections = 0
    private var reasons: [ReasonTable.Number: Int] = [:]
    /// Of the whole run: the token doctor's decisions stay.
    private var allAnswers = 0
    private var suspects = 0
    /// The brake has stopped the run once: who resumes it lets the rest go.
    private var isReleased = false

    /// Takes a window's answers in. What is put off, or unknown, is no answer yet. `suspects` are those of the rejected
    /// whose token the other environment may know.
    mutating func count(accepted: Int, rejected: [ReasonTable.Number: Int], suspects: Int = 0) {
        let more = rejected.values.reduce(0, +)
        answers += accepted + more
        rejections += more
        reasons.merge(rejected, uniquingKeysWith: +)
        allAnswers += accepted + more
        self.suspects += suspects
        while answers > Self.lateAnswers { forget() }
    }

    private mutating func forget() {
        answers /= 2
        rejections /= 2
        reasons = reasons.mapValues { $0 / 2 }
    }

    // MARK: The brake

    /// Whether more are rejected of late than so many in a hundred. Stays so until the brake is released.
    func brakes(at percent: Int?) -> Bool {
        guard let percent, !isReleased, answers >= Self.minimumAnswers else { return false }
        return rejections * 100 > answers * percent
    }

    /// The run is stopped, and the database knows.
    mutating func releaseBrake() { isReleased = true }

    /// In a hundred, at most 100.
    var rejectionPercent: Int { answers == 0 ? 0 : (rejections * 100 + answers / 2) / answers }

    /// The reason that most rejections give.
    var mainReason: ReasonTable.Number? {
        reasons.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    // MARK: The token doctor

    /// Whether it is the tokens that are wrong, as far as the whole run tells: many small batches of a few suspects each
    /// are many suspects.
    var doubtsTokens: Bool { Self.areFew(suspects, of: allAnswers) }

    static func areFew(_ suspects: Int, of answers: Int) -> Bool {
        suspects <= fewSuspects || suspects * 100 <= answers * suspectPercent
    }
}
