import EventLoop
import FoundationEssentials
import Glibc
import HTTPServer
import Logging
import OpenMetrics
import Postgres
import TLS

/// Values of this process that are read when somebody asks for them.
enum ProcessSamples {
    /// Facts that do not change while the process runs. `start` is in seconds since 1970.
    static func facts(version: String, schema: Int, start: Double) -> [MetricSample] {
        [
            MetricSample("belfry_build", [("version", version), ("schema", "\(schema)")], 1),
            MetricSample("process_start_time_seconds", start),
        ]
    }

    /// The names are those that Prometheus's own libraries give to them.
    static func resources() -> [MetricSample] {
        var samples: [MetricSample] = []
        var time = timespec()
        if clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 {
            samples.append(MetricSample("process_cpu_seconds", Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9))
        }
        // proc(5): the second number is the resident set, in pages.
        if let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
        {
            samples.append(MetricSample("process_resident_memory_bytes", pages * Double(sysconf(Int32(_SC_PAGESIZE)))))
        }
        if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            samples.append(MetricSample("process_open_fds", Double(open.count)))
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            samples.append(MetricSample("process_max_fds", Double(limit.rlim_cur)))
        }
        return samples
    }

    static func pool(_ name: String, _ pool: PostgresPool) async -> [MetricSample] {
        let usage = await pool.usage
        func sample(_ family: String, _ value: Double) -> MetricSample {
            MetricSample("belfry_postgres_\(family)", [("pool", name)], value)
        }
        return [
            MetricSample("belfry_postgres_connections", [("pool", name), ("state", "idle")], Double(usage.idle)),
            MetricSample("belfry_postgres_connections", [("pool", name), ("state", "busy")], Double(usage.busy)),
            sample("connections_maximum", Double(usage.limit)),
            sample("waiters", Double(usage.waiters)),
            sample("waits", Double(usage.waits.count)),
            sample("wait_seconds", usage.waits.total.seconds),
            sample("refusals", Double(usage.waits.refused)),
        ]
    }

    static func connections(_ server: HTTPServer) -> [MetricSample] {
        let (open, refused) = server.connections
        return [
            MetricSample("belfry_http_connections", Double(open)),
            MetricSample("belfry_http_connections_refused", Double(refused)),
        ]
    }

    static func lines(of log: LogOutput) -> [MetricSample] {
        log.counts.map { MetricSample("belfry_log_lines", [("level", $0.level.rawValue)], Double($0.lines)) }
    }

    static func lag(_ name: String, _ lag: LoopLag) -> [MetricSample] {
        [MetricSample("belfry_loop_lag_seconds", [("loop", name)], lag.value.seconds)]
    }
}
