import Belfry
import Foundation

/// The processor time of other processes, from their CPU clocks (clock_getcpuclockid(3)): /proc counts only in
/// hundredths of a second.
enum ProcessorTime {
    /// The processor time of a running process so far.
    static func seconds(of process: Int32) throws -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw CommandFailure("can't read the processor time of process \(process)")
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
