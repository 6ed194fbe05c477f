import Configuration

/// The settings in environment variables, checked by name and kind.
struct EnvironmentSettings {
    private static let prefix = "BELFRY_"
    /// Variables that are no settings of a server: of the commands, the private PostgreSQL, the tests and the scripts.
    private static let others: Set<String> = [
        "BELFRY_API_KEY", "BELFRY_CONFIG", "BELFRY_DAMAGED", "BELFRY_EXAMPLES", "BELFRY_FUZZ", "BELFRY_KEY",
        "BELFRY_MEASURE", "BELFRY_PAGES_UNFINISHED", "BELFRY_POSTGRES_BIN", "BELFRY_TSAN", "BELFRY_VENDOR_CACHE",
        "BELFRY_VENV", "BELFRY_WRITE_PERMISSIONS", "BELFRY_WRITE_SCHEMA",
    ]
    /// Names of tests; and what Kubernetes and Docker set for a service that is called belfry.
    private static let otherPrefixes = ["BELFRY_TEST_", "BELFRY_SERVICE_", "BELFRY_PORT_"]

    /// An empty variable counts as not set, as `${NAME:-}` in a compose file leaves it.
    let variables: [String: String]

    init(_ variables: [String: String]) throws(CommandFailure) {
        self.variables = variables.filter { !$0.value.isEmpty }
        let known = Dictionary(uniqueKeysWithValues: SettingName.all.map { ($0.variable, $0) })
        let mistakes = self.variables.sorted { $0.key < $1.key }.compactMap { name, value in
            Self.mistake(name, value, among: known)
        }
        guard mistakes.isEmpty else { throw CommandFailure(mistakes.joined(separator: "\n")) }
    }

    var provider: EnvironmentVariablesProvider { EnvironmentVariablesProvider(environmentVariables: variables) }

    private static func mistake(_ name: String, _ value: String, among known: [String: SettingName]) -> String? {
        if let setting = known[name] {
            guard let mistake = setting.mistake(in: value) else { return nil }
            let isLink = name == "BELFRY_PORT" && value.contains("://")
            return "The environment variable \(name) \(mistake)."
                + (isLink ? " Kubernetes sets it for a service named belfry: set enableServiceLinks: false." : "")
        }
        guard name.hasPrefix(prefix), !others.contains(name), !otherPrefixes.contains(where: name.hasPrefix) else {
            return nil
        }
        let suggestion = SettingName.suggestion(for: name, among: known.keys.sorted())
        return "The environment variable \(name) is unknown\(suggestion.isEmpty ? "." : suggestion)"
            + (suggestion.isEmpty ? " \"belfry help serve\" lists the settings." : "")
    }
}
