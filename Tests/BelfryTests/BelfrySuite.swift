import Testing

/// One after another: each test has processes of its own.
@Suite(.serialized, .timeLimit(.minutes(1))) enum BelfrySuite {}
