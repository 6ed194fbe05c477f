public import JSON
public import Postgres
public import Store

/// Something that needs a person, with what to do about it.
public struct Finding: Sendable {
    public enum Kind: Sendable {
        case noProcess
        case processLost(ProcessRecord)
        case restoreQuestion(OpenRunRecord)
        case runPaused(OpenRunRecord)
        case databaseNotConfirmed
        case campaignsNotStarted
        case leasesLapsed(OpenRunRecord)
        case runNotSent(OpenRunRecord)
        case runNotPlanned(OpenRunRecord)
        case runNotFinished(OpenRunRecord)
    }

    public let kind: Kind
    /// Nil when it is not known.
    public let since: Timestamp?

    init(_ kind: Kind, since: Timestamp? = nil) {
        self.kind = kind
        self.since = since
    }

    /// The process that it is about, if it is about one.
    public var process: ProcessRecord? {
        if case .processLost(let process) = kind { process } else { nil }
    }

    /// The run that it is about, if it is about one.
    public var run: OpenRunRecord? {
        switch kind {
        case .restoreQuestion(let run), .runPaused(let run), .leasesLapsed(let run), .runNotSent(let run),
            .runNotPlanned(let run), .runNotFinished(let run):
            run
        case .noProcess, .processLost, .databaseNotConfirmed, .campaignsNotStarted: nil
        }
    }

    /// For programs.
    public var code: String {
        switch kind {
        case .noProcess: "no_process"
        case .processLost: "process_lost"
        case .restoreQuestion: "restore_question"
        case .runPaused: "run_paused"
        case .databaseNotConfirmed: "database_not_confirmed"
        case .campaignsNotStarted: "campaigns_not_started"
        case .leasesLapsed: "leases_lapsed"
        case .runNotSent: "run_not_sent"
        case .runNotPlanned: "run_not_planned"
        case .runNotFinished: "run_not_finished"
        }
    }

    public var message: Message {
        switch kind {
        case .noProcess: "No process of Belfry runs."
        case .processLost(let process):
            "The process \(process.identity.name) is lost: it stopped reporting without saying that it ended."
        case .restoreQuestion:
            "The run asks whether to go on: after a restore or a failover, sent pushes may be missing in the ledger."
        case .runPaused(let run): "The run is paused: \(run.reason ?? "")"
        case .databaseNotConfirmed:
            """
            PostgreSQL was started again, and no worker has confirmed yet that nothing is missing. Nothing is sent until \
            then.
            """
        case .campaignsNotStarted: "A campaign is due, and no worker starts it."
        case .leasesLapsed: "A worker stopped reporting, and no other worker takes over its batches of the run."
        case .runNotSent: "Batches of the run are due, and no worker takes them."
        case .runNotPlanned: "The run has recipients that no worker plans."
        case .runNotFinished: "All recipients of the run have an outcome, and no worker finishes it."
        }
    }

    /// A sentence that tells a person what to do.
    public var remedy: Message {
        switch kind {
        case .noProcess: "Start “belfry serve” or “belfry work” with this database."
        case .processLost:
            """
            Read its log, and start it again. Other workers take over its batches within a minute. A process that was \
            removed leaves this list after a day.
            """
        case .restoreQuestion: "Resume the run to send the rest, or cancel it."
        case .runPaused: "Remove the cause, then resume the run, or cancel it."
        case .databaseNotConfirmed:
            "Start the processes that ran before, with their state directories. The log of a worker has the reason."
        case .leasesLapsed: "Restart the workers, one after the other. Their logs have the reason."
        case .runNotSent:
            "Read the logs of the workers: often the credential of the app or the connection to APNs is the reason."
        case .campaignsNotStarted, .runNotPlanned, .runNotFinished: "Read the logs of the workers for the reason."
        }
    }
}
