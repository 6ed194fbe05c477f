import ArgumentParser
import Foundation

/// The API key that a command uses: from its arguments, or from the environment, where fewer can read it.
enum APIKeyArgument {
    static func read(_ key: String?, file: String?) throws -> String {
        if let key { return key }
        if let file { return try TextFile.read(file).trimmed }
        guard let key = ProcessInfo.processInfo.environment["BELFRY_API_KEY"], !key.isEmpty else {
            throw ValidationError("There is no API key: set BELFRY_API_KEY, or give --key-file or --key.")
        }
        return key
    }
}
