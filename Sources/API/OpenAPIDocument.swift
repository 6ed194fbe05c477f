import FoundationEssentials
import HTTPServer
import HTTPTypes
import JSON

/// The OpenAPI 3.1 document, merged from the JSON files of a folder.
///
/// Each file has the `paths` of some resources and the `components` that only these use; `base.json` has the rest.
public struct OpenAPIDocument: RouteGroup {
    let json: JSON

    public struct Failure: Error, CustomStringConvertible {
        let file: String
        let reason: String

        public var description: String { "The file \(file) of the API's description is invalid: \(reason)." }
    }

    /// Reads all `.json` files of `folder`, in the order of their names.
    public init(folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
        var document = Members()
        for name in names.sorted() {
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)") else {
                throw Failure(file: name, reason: "it can't be read")
            }
            do {
                try document.add(JSON(parsing: Array(bytes)), depth: 0)
            } catch {
                throw Failure(file: name, reason: "\(error)")
            }
        }
        json = document.json
    }

    func add(to routes: inout Routes) {
        let bytes = json.encoded()
        routes.addOpen(.get, "/openapi.json") { _ in .json(bytes) }
    }
}

/// The members of several objects. Objects under the same key are merged, down to single paths and components.
private struct Members {
    /// `components`, then `schemas`, then a schema.
    private static let mergedDepth = 2

    private var keys: [String] = []
    private var values: [String: JSON] = [:]

    var json: JSON { .object(keys.compactMap { key in values[key].map { JSON.Member(key, $0) } }) }

    struct Conflict: Error, CustomStringConvertible {
        let description: String
    }

    mutating func add(_ object: JSON, depth: Int) throws {
        guard case .object(let members) = object else { throw Conflict(description: "an object was expected") }
        for member in members {
            guard let known = values[member.key] else {
                keys.append(member.key)
                values[member.key] = member.value
                continue
            }
            guard depth < Self.mergedDepth, case .object = known else {
                throw Conflict(description: "\(member.key) is in another file, too")
            }
            var merged = Members()
            try merged.add(known, depth: depth + 1)
            try merged.add(member.value, depth: depth + 1)
            values[member.key] = merged.json
        }
    }
}
