extension DescriptorBudget {
    /// A busy server has more clients.
    private static let comfortable = 1_024

    /// `wanted` connections of clients, or as many as the limit allows.
    func finding(wanted: Int?) -> DoctorFinding {
        let count: Int
        do throws(CommandFailure) {
            count = try connections(wanted: wanted)
        } catch {
            return .refused(.machine, "open files", error)
        }
        let message = "\(descriptors.grouped) are allowed, for \(count.grouped) connections of clients"
        guard count >= Self.comfortable || wanted != nil else {
            return .warning(
                .machine, "open files", message, "Raise the hard limit (ulimit -Hn, or LimitNOFILE of a systemd unit).")
        }
        return .ok(.machine, "open files", message)
    }
}
