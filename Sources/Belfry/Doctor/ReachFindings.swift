import APNS
import Campaigns
import Dispatcher
import EventLoop

/// Whether connections to the hosts for pushes can be opened.
struct ReachFindings: Sendable {
    /// An environment whose host was reached may be asked about keys.
    var reached: Set<PushEnvironment> = []
    var findings: [DoctorFinding] = []

    /// One answer per host: a simulator is the same for both environments.
    static func ask(_ endpoints: APNSEndpoints, _ limit: Duration, on loop: EventLoop) async -> ReachFindings {
        async let production = reach(endpoints.production, limit, on: loop)
        guard endpoints.destination == .apple else {
            return ReachFindings().adding(endpoints.production, [.production, .development], await production)
        }
        async let development = reach(endpoints.development, limit, on: loop)
        return await ReachFindings()
            .adding(endpoints.production, [.production], production)
            .adding(endpoints.development, [.development], development)
    }

    private static func reach(
        _ endpoint: APNSEndpoint, _ limit: Duration, on loop: EventLoop
    ) async -> Result<Duration, any Error> {
        var options = APNSOptions()
        options.connectTimeout = limit / 2
        options.resolveTimeout = limit / 2
        let own = options
        return await CheckDeadline.run(limit, on: loop) { try await endpoint.reach(own, on: loop) }
    }

    func adding(
        _ endpoint: APNSEndpoint, _ environments: Set<PushEnvironment>, _ result: Result<Duration, any Error>
    ) -> ReachFindings {
        let name = endpoint.isApple ? (environments.contains(.production) ? "production" : "development") : "host"
        var all = self
        switch result {
        case .success(let time):
            all.reached.formUnion(environments)
            let milliseconds = Int((time.seconds * 1_000).rounded(.up))
            all.findings.append(
                .ok(.apns, name, "\(endpoint.host):\(endpoint.port) was reached in \(milliseconds) ms"))
        case .failure(let error):
            let message = "\(endpoint.host):\(endpoint.port) can't be reached: \(error)"
            // Only builds of developers use that environment.
            let isNeeded = environments.contains(.production)
            let remedy = Self.remedy(endpoint)
            all.findings.append(
                isNeeded ? .error(.apns, name, message, remedy) : .warning(.apns, name, message, remedy))
        }
        return all
    }

    private static func remedy(_ endpoint: APNSEndpoint) -> String {
        endpoint.isApple
            ? "Check this machine's name servers, and that its firewall allows connections to port \(endpoint.port)."
            : "Check BELFRY_APNS_HOST, BELFRY_APNS_PORT and BELFRY_APNS_CA_FILE, and that the host runs."
    }
}
