import TLS

extension CertificateFiles {
    /// What `serve` would do with the files.
    var finding: DoctorFinding {
        do {
            return Self.finding(certificate, secondsLeft: try load().secondsUntilExpiry)
        } catch {
            return .refused(.web, "certificate", error)
        }
    }

    static func finding(_ file: String, secondsLeft: Int?) -> DoctorFinding {
        guard let secondsLeft else { return .ok(.web, "certificate", "\(file) matches its key") }
        let days = abs(secondsLeft) / 86_400
        let time = days == 1 ? "one day" : "\(days) days"
        let remedy = "Renew it; belfry serve notices the new file by itself."
        if secondsLeft < 0 {
            return .error(.web, "certificate", "\(file) expired \(days == 0 ? "today" : "\(time) ago")", remedy)
        }
        return secondsLeft < expiryWarning
            ? .warning(.web, "certificate", "\(file) expires in \(days == 0 ? "less than a day" : time)", remedy)
            : .ok(.web, "certificate", "\(file) matches its key, and is valid for \(time)")
    }
}
