import Configuration
import Foundation
import JSON
import SystemPackage

/// A JSON file with settings, checked by names and kinds.
struct SettingsFile {
    /// Settings that are secrets, or addresses that may contain a password.
    private static let secrets: Set<String> = [
        "belfry.sealing.key", "belfry.admin.password", "database.url", "database.direct.url",
    ]

    let path: String

    func provider() async throws -> any ConfigProvider {
        let content = try TextFile.read(path)
        let document: JSON
        do {
            document = try JSON(parsing: content)
        } catch {
            throw CommandFailure("The settings file \(path) is not JSON: \(error)")
        }
        let found = try settings(in: document)
        try FilePermissions(path).check(
            "settings file", isSecret: found.contains(where: Self.secrets.contains))
        return try await FileProvider<JSONSnapshot>(filePath: FilePath(path))
    }

    /// The keys of all settings in the document.
    private func settings(in document: JSON) throws(CommandFailure) -> [String] {
        let known = Dictionary(uniqueKeysWithValues: SettingName.all.map { ($0.key, $0) })
        var mistakes: [String] = []
        var found: [String] = []
        func read(_ value: JSON, at key: String) {
            if let setting = known[key], known.keys.allSatisfy({ !$0.hasPrefix(key + ".") }) || !value.isObject {
                if let mistake = setting.mistake(in: value) { mistakes.append("\(key) \(mistake)") }
                found.append(key)
            } else if case .object(let members) = value,
                key.isEmpty || known.keys.contains(where: { $0.hasPrefix(key + ".") })
            {
                for member in members {
                    let name = key.isEmpty ? member.key : "\(key).\(member.key)"
                    if member.key.contains(".") {
                        mistakes.append("\(name) must be nested: {\"\(member.key.replacing(".", with: "\": {\""))\": …")
                    } else {
                        read(member.value, at: name)
                    }
                }
            } else if known.keys.contains(where: { $0.hasPrefix(key + ".") }) || key.isEmpty {
                mistakes.append("\(key.isEmpty ? "the document" : key) must be an object")
            } else {
                mistakes.append("\(key) is unknown" + SettingName.suggestion(for: key, among: known.keys.sorted()))
            }
        }
        read(document, at: "")
        guard mistakes.isEmpty else {
            let text = mistakes.joined(separator: "; ")
            throw CommandFailure(
                "The settings file \(path) can't be used: \(text)\(text.hasSuffix("?") ? "" : ".")")
        }
        return found
    }
}

extension JSON {
    fileprivate var isObject: Bool { if case .object = self { true } else { false } }
}
