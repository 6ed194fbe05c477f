import ArgumentParser
import Foundation
import Logging

/// The API key that a command uses: from its arguments or from the environment. Every user of the machine can read
/// arguments; only the process's own user can read its environment.
enum APIKeyArgument {
    static func read(_ key: String?, file: String?) throws -> String {
        if let key {
            Logger.make(level: .warning).warning(
                "API key on the command line",
                metadata: [
                    "reason": "all users of this machine can read it with ps; set BELFRY_API_KEY or use --key-file"
                ])
            return key
        }
        if let file { return try TextFile.secret(file, "API key file") }
        guard let key = ProcessInfo.processInfo.environment["BELFRY_API_KEY"], !key.isEmpty else {
            throw ValidationError("An API key is required: set BELFRY_API_KEY, or pass --key-file or --key.")
        }
        return key
    }
}
