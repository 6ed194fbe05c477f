import FoundationEssentials

/// Locates the program's folders, Migrations and Public. An installed program has them in `../share/belfry`, as a
/// package puts them. Otherwise they are in the working directory or, in a checkout, in a directory above the
/// executable.
public enum Resources {
    public static func directory(_ name: String) throws -> String {
        for candidate in candidates() {
            let path = "\(candidate)/\(name)"
            if FileManager.default.fileExists(atPath: path) { return path }
        }
        throw CommandFailure(
            "The folder \(name) is missing. Run belfry in its checkout or in the folder that contains \(name).")
    }

    private static func candidates() -> [String] {
        let here = FileManager.default.currentDirectoryPath
        // Not the first argument: for a program that is found by PATH, that is only a name.
        guard let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return [here]
        }
        var folder = URL(filePath: executable).deletingLastPathComponent()
        var candidates = ["\(folder.deletingLastPathComponent().path)/share/belfry", here]
        for _ in 0..<4 {
            candidates.append(folder.path)
            folder = folder.deletingLastPathComponent()
        }
        return candidates
    }
}
