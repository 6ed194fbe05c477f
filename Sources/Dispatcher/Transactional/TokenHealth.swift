/// Apple's recent answers to the transactional pushes of an app in one environment. They tell whether tokens that Apple
/// does not know are bad, or else the host or the credential is wrong. A value.
///
/// Docs/decisions/sending.md explains when bad tokens are retired.
struct TokenHealth: Equatable {
    /// Above this number the counts are halved, so that hours of success don't hide a sudden failure.
    static let maximumRecentAnswers = 200

    private(set) var answers = 0
    private(set) var mismatches = 0

    /// Adds the answers of a window. `mismatches` are those about tokens that the environment or the topic does not
    /// know.
    mutating func count(answers: Int, mismatches: Int) {
        self.answers += answers
        self.mismatches += mismatches
        while self.answers > Self.maximumRecentAnswers {
            self.answers /= 2
            self.mismatches /= 2
        }
    }

    /// Whether most tokens are good, so that the others are bad.
    var allowsRetiring: Bool { mismatches * 100 <= answers * RunHealth.mismatchPercent }
}
