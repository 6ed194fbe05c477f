import FoundationEssentials

/// The folders that belong to the program: Migrations and Public. They stand in the working folder,
/// or above the executable in a checkout.
enum Resources {
    static func directory(_ name: String) throws -> String {
        var candidates = [FileManager.default.currentDirectoryPath]
        if let executable = CommandLine.arguments.first {
            var folder = URL(filePath: executable).resolvingSymlinksInPath().deletingLastPathComponent()
            for _ in 0..<4 {
                candidates.append(folder.path)
                folder = folder.deletingLastPathComponent()
            }
        }
        for candidate in candidates {
            let path = "\(candidate)/\(name)"
            if FileManager.default.fileExists(atPath: path) { return path }
        }
        throw CommandFailure("The folder \(name) is missing. Start belfry in its checkout, or beside \(name).")
    }
}
