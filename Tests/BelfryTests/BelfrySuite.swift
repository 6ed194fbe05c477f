import Testing

/// Tests that start `belfry` processes.
@Suite(.timeLimit(.minutes(10))) enum BelfrySuite {}
