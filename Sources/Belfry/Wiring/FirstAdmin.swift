import Administration
import Application
import Campaigns
import EventLoop
import Foundation
import JSON
import Logging
import Postgres
import Store

/// Lets somebody sign in to a new installation: there is no default password.
struct FirstAdmin {
    /// BELFRY_ADMIN_EMAIL and BELFRY_ADMIN_PASSWORD, or a file with it, create the first admin without anybody there.
    struct Unattended {
        let email: String
        let password: String
    }

    private let stores: Stores
    private let settings: Settings
    private let logger: Logger

    static func prepare(_ settings: Settings, _ database: Database, on loop: EventLoop, logger: Logger) async throws {
        let stores = database.stores(on: loop, logger: logger)
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await FirstAdmin(stores: stores, settings: settings, logger: logger).prepare())
        } catch {
            result = .failure(error)
        }
        await stores.pool.close()
        try result.get()
    }

    /// Creates the first admin if the settings say who it is; otherwise prints the address at which one is created.
    /// Does nothing once there is somebody.
    private func prepare() async throws {
        guard try await stores.users.isEmpty() else { return }
        if let unattended = settings.admin {
            let email: EmailAddress
            do throws(InvalidValue) {
                email = try EmailAddress(unattended.email)
            } catch {
                throw CommandFailure("BELFRY_ADMIN_EMAIL \(error.message).")
            }
            let hash = try await NewPassword.hash(unattended.password, for: email)
            do {
                _ = try await stores.users.createFirst(email, name: "", passwordHash: hash)
                logger.info("first admin created")
            } catch Refusal.setUpIsDone {
                // Another process was faster.
            }
            return
        }
        let token = try await stores.signInLinks.create(.setUp, for: nil, lifetime: SignIn.setUpLifetime)
        print(
            """

              Nobody can sign in yet. Open this address within an hour to create the first admin:

                \(settings.pageURL)/#set-up=\(token)

            """)
        // Standard output is buffered when it is a pipe.
        fflush(nil)
    }
}
