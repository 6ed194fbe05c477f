import Testing

/// Tests with workers, a database and a simulated Apple of their own.
@Suite(.timeLimit(.minutes(10))) enum DispatcherSuite {}
