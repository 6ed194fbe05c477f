/// The number of devices by what the planner decides about them.
struct DispositionCount {
    /// The planner's result for a device: the index of its timing, and the code of the reason to suppress it; 0 to
    /// send.
    struct Disposition: Hashable {
        let index: Int
        let code: Int
    }

    var dispositions: [Disposition: Int] = [:]
    /// Of those who are sent to, by the place of their hour in a window, and how many of them have an hour of their own.
    var places: [Int: Int] = [:]
    var personal = 0
    var audience = 0
    var isExact = true
    /// Of the recipients who are sent to, at 95% confidence.
    var marginOfError = 0
    var devicesScanned = 0

    /// Moves the recipients for whom the template can't be rendered to the suppressed ones.
    mutating func suppress(_ sample: RenderingSample) {
        for (disposition, count) in dispositions where disposition.code == 0 {
            for (code, share) in sample.suppressed(of: count, at: disposition.index) {
                let number = min(share, dispositions[disposition] ?? 0)
                dispositions[disposition, default: 0] -= number
                dispositions[Disposition(index: disposition.index, code: code), default: 0] += number
            }
            if sample.tallies[disposition.index]?.composed != count {
                isExact = false
                marginOfError += sample.margin(of: count, at: disposition.index)
            }
        }
    }
}
