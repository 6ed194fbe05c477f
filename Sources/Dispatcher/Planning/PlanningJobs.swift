import Campaigns
import EventLoop

/// The jobs of a planner, most of them for one run, so that a run that fails or takes long delays only itself. A value:
/// it decides which jobs begin, and the loop carries them out.
///
/// Docs/decisions/planning.md explains why each run has a job of its own.
struct PlanningJobs {
    enum Job: Hashable, CustomStringConvertible {
        /// Of all campaigns that are due.
        case starting
        case reevaluating(Run.Key)
        case planning(Run.Key)
        case finishing(Run.Key)
        /// About the rest of tests whose decision is due.
        case deciding
        /// Statistics and partitions of tables.
        case maintaining

        var description: String {
            switch self {
            case .starting: "starting campaigns"
            case .reevaluating(let run): "re-evaluating run \(run)"
            case .planning(let run): "planning run \(run)"
            case .finishing(let run): "finishing run \(run)"
            case .deciding: "deciding A/B tests"
            case .maintaining: "maintaining tables"
            }
        }

        fileprivate var kind: Int {
            switch self {
            case .starting: 0
            case .reevaluating: 1
            case .planning: 2
            case .finishing: 3
            case .maintaining: 4
            case .deciding: 5
            }
        }
    }

    /// Jobs of a kind that run at the same time: one may be slow.
    static let maximumPerKind = 2
    /// The pause after a failure, doubled with each further one.
    static let pauses = Backoff(first: .seconds(2), longest: .seconds(120))

    private struct Failures {
        var backoff = PlanningJobs.pauses
        var until: MonotonicTime
    }

    private var inProgress: Set<Job> = []
    private var failures: [Job: Failures] = [:]
    /// When jobs last ended, so that runs take turns.
    private var ends: [Job: MonotonicTime] = [:]

    /// The jobs that begin now: those that wait for the longest time come first.
    mutating func begin(_ wanted: [Job], at now: MonotonicTime) -> [Job] {
        let ready = wanted.filter { !inProgress.contains($0) && failures[$0].map { $0.until <= now } ?? true }
        // Stable: jobs that have not run yet keep their order, before the others.
        let order =
            ready.filter { ends[$0] == nil }
            + ready.compactMap { job in ends[job].map { (job: job, end: $0) } }.sorted { $0.end < $1.end }.map(\.job)
        var begun: [Job] = []
        for job in order where inProgress.count(where: { $0.kind == job.kind }) < Self.maximumPerKind {
            inProgress.insert(job)
            begun.append(job)
        }
        return begun
    }

    /// Nothing is known about the job: the database was away.
    mutating func abandoned(_ job: Job, at now: MonotonicTime) { end(job, now) }

    mutating func succeeded(_ job: Job, at now: MonotonicTime) {
        end(job, now)
        failures[job] = nil
    }

    mutating func failed(_ job: Job, at now: MonotonicTime) {
        end(job, now)
        var failure = failures[job] ?? Failures(until: now)
        failure.until = now + failure.backoff.failed()
        failures[job] = failure
    }

    private mutating func end(_ job: Job, _ now: MonotonicTime) {
        inProgress.remove(job)
        ends[job] = now
    }

    /// Forgets what belongs to runs that are not wanted any more.
    mutating func forget(except wanted: [Job]) {
        let kept = Set(wanted)
        failures = failures.filter { kept.contains($0.key) }
        ends = ends.filter { kept.contains($0.key) }
    }
}
