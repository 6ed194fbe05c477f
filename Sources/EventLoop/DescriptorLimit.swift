import CLinux
import Glibc

/// The number of file descriptors that this process may have open (RLIMIT_NOFILE).
public enum DescriptorLimit {
    /// The highest limit that is requested. Some systems allow a billion, which no process here needs.
    public static let maximum = 65_536

    /// Raises the soft limit to the hard one, but not above `maximum`, and returns the limit that is in force. Child
    /// processes inherit it. May be called again.
    public static func raise() throws(SystemError) -> Int {
        var limit = rlimit()
        guard belfry_descriptor_limit(&limit) == 0 else { throw .current("getrlimit") }
        let wanted = wanted(soft: limit.rlim_cur, hard: limit.rlim_max)
        guard wanted != limit.rlim_cur else { return number(wanted) }
        limit.rlim_cur = wanted
        guard belfry_set_descriptor_limit(&limit) == 0 else { throw .current("setrlimit") }
        return number(wanted)
    }

    /// A soft limit above `maximum` is left as it is.
    static func wanted(soft: rlim_t, hard: rlim_t) -> rlim_t { max(soft, min(hard, rlim_t(maximum))) }

    /// "Unlimited" is the highest `rlim_t`.
    private static func number(_ limit: rlim_t) -> Int { Int(clamping: limit) }
}
