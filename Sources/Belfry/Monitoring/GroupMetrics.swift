import Application
import Metrics
import OpenMetrics

/// Measures the groups of one kind of request that are stored together.
struct GroupMetrics: Sendable {
    private let size: Recorder
    private let waits: Timer
    private let commits: Timer

    init(_ kind: String, _ registry: MetricRegistry) {
        let labels = [("kind", kind)]
        size = Recorder(label: "belfry_group_size", dimensions: labels, factory: registry)
        waits = Timer(label: "belfry_group_wait_duration_seconds", dimensions: labels, factory: registry)
        commits = Timer(label: "belfry_group_commit_duration_seconds", dimensions: labels, factory: registry)
    }

    func add(_ group: StoredGroup) {
        size.record(group.requests)
        waits.record(duration: group.waited)
        commits.record(duration: group.stored)
    }
}
