import Testing

/// One after another: each test has threads of its own, and some measure time.
@Suite(.serialized, .timeLimit(.minutes(10))) enum DispatcherSuite {}
