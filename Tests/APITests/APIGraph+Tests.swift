import Application
import Campaigns
import Logging
import Postgres
import Store

@testable import API

extension APIGraph {
    /// With stand-ins for Apple and the web.
    static func forTests(
        _ stores: Stores, registrations: RegistrationCommit, acknowledgements: AcknowledgementCommit,
        customEvents: CustomEventCommit, admission: RegistrationAdmission? = nil, rateLimits: RateLimits = .none,
        publicURL: String = "http://push.example.com", logger: Logger
    ) async throws -> APIGraph {
        APIGraph(
            stores: stores, registrations: registrations, acknowledgements: acknowledgements,
            customEvents: customEvents,
            admission: admission ?? RegistrationAdmission(stores.identityKeys, logger: logger),
            mediaLibrary: MediaLibrary(store: stores.media),
            outside: Outside(
                pusher: StubPusher(stores: stores), testPusher: StubTestPusher(),
                credentialChecker: StubCredentialChecker(), mediaProbe: StubProbe()),
            appearance: Appearance(
                program: try await Self.program(stores), document: try APIFixture.document(),
                publicURL: publicURL, destination: .simulator),
            rateLimits: rateLimits, logger: logger)
    }

    /// A program that was made for the schema as it is.
    private static func program(_ stores: Stores) async throws -> ProgramSchema {
        let number = try await stores.instance.schema().number
        return ProgramSchema(number: number, needed: number)
    }
}
