/// The result of one check of `belfry doctor`.
struct DoctorFinding: Equatable, Sendable {
    enum Group: String, CaseIterable {
        case database = "Database"
        case secrets = "Secrets"
        case apns = "APNs"
        case web = "Web server"
        case machine = "This machine"
    }

    enum Level: String, CaseIterable {
        case ok, warning, error
        /// The check could not run because another one failed.
        case skipped
    }

    let group: Group
    /// Stays the same in later versions: scripts look for it.
    let check: String
    let level: Level
    let message: String
    /// A sentence that tells the operator what to do; nil if there is nothing to do, or if the message says it.
    let remedy: String?

    private init(_ level: Level, _ group: Group, _ check: String, _ message: String, _ remedy: String? = nil) {
        (self.level, self.group, self.check, self.message, self.remedy) = (level, group, check, message, remedy)
    }

    /// A hint is for something that is good enough and could be better.
    static func ok(_ group: Group, _ check: String, _ message: String, hint: String? = nil) -> DoctorFinding {
        DoctorFinding(.ok, group, check, message, hint)
    }

    static func warning(_ group: Group, _ check: String, _ message: String, _ remedy: String?) -> DoctorFinding {
        DoctorFinding(.warning, group, check, message, remedy)
    }

    static func error(_ group: Group, _ check: String, _ message: String, _ remedy: String?) -> DoctorFinding {
        DoctorFinding(.error, group, check, message, remedy)
    }

    /// Why a process would not start, which says what to do as well.
    static func refused(_ group: Group, _ check: String, _ error: any Error) -> DoctorFinding {
        DoctorFinding(.error, group, check, "\(error)")
    }

    /// `reason` follows "skipped: ".
    static func skipped(_ group: Group, _ checks: [String], because reason: String) -> [DoctorFinding] {
        checks.map { DoctorFinding(.skipped, group, $0, reason) }
    }
}
