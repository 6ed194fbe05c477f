import Testing

/// Serialized, because each test starts several processes.
@Suite(.serialized, .timeLimit(.minutes(10))) enum BelfrySuite {}
