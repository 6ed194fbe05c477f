/// How the path of a problem is spelled, so that it always leads to one value: `aps.alert.loc-args[1]`, `["a.b"].c`.
enum ProblemPath {
    static func member(_ key: String, of parent: String) -> String {
        guard isPlain(key) else {
            return "\(parent)[\(String(decoding: JSON.string(key).encoded(), as: UTF8.self))]"
        }
        return parent.isEmpty ? key : "\(parent).\(key)"
    }

    static func element(_ index: Int, of parent: String) -> String {
        "\(parent)[\(index)]"
    }

    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty && !key.unicodeScalars.contains { ".[]\"\\".unicodeScalars.contains($0) || $0.value < 0x20 }
    }
}
