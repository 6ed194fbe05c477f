import Testing

/// One after another: each test has processes of its own.
@Suite(.serialized, .timeLimit(.minutes(10))) enum BelfrySuite {}
