/// Builds the paths of problems, each of which identifies one value: `aps.alert.loc-args[1]`, `["a.b"].c`.
public enum ProblemPath {
    public static func member(_ key: String, of parent: String) -> String {
        guard isPlain(key) else {
            return "\(parent)[\(String(decoding: JSON.string(key).encoded(), as: UTF8.self))]"
        }
        return parent.isEmpty ? key : "\(parent).\(key)"
    }

    public static func element(_ index: Int, of parent: String) -> String {
        "\(parent)[\(index)]"
    }

    /// Whether the paths are equal or one leads to a part of the other's value.
    public static func isOneInTheOther(_ first: String, _ second: String) -> Bool {
        let (outer, inner) = first.utf8.count < second.utf8.count ? (first, second) : (second, first)
        guard !outer.isEmpty, inner.utf8.starts(with: outer.utf8) else { return outer.isEmpty }
        return [nil, UInt8(ascii: "."), UInt8(ascii: "[")].contains(inner.utf8.dropFirst(outer.utf8.count).first)
    }

    /// The path from the document's root to `path`, which is relative to `parent`.
    public static func joined(_ parent: String, _ path: String) -> String {
        path.isEmpty || parent.isEmpty || path.hasPrefix("[") ? parent + path : "\(parent).\(path)"
    }

    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty && !key.unicodeScalars.contains { ".[]\"\\".unicodeScalars.contains($0) || $0.value < 0x20 }
    }
}
