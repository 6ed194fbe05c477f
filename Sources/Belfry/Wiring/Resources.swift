import FoundationEssentials

/// Locates the program's folders, Migrations and Public. They are in the working directory or, in a checkout, in a
/// directory above the executable.
public enum Resources {
    public static func directory(_ name: String) throws -> String {
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
        throw CommandFailure(
            "The folder \(name) is missing. Run belfry in its checkout or in the folder that contains \(name).")
    }
}
