extension EventLoop {
    /// Runs `body`, which calls actors of this loop, in a task that prefers this loop.
    ///
    /// In a task that prefers another one, Swift suspends at each call of an actor's async function, also of one of the
    /// same actor: a job of this loop does not have the executor that the task prefers. Then other calls interleave
    /// where the code of an actor has no suspension. So the entrances of such actors, which tasks of other loops may
    /// use, begin with this.
    public func preferred<Value, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let isPreferred = withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
        guard !isPreferred else { return try await body() }
        return try await withTaskExecutorPreference(self, operation: body)
    }
}
