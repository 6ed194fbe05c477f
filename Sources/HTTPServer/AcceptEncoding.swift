/// Reads the Accept-Encoding field (RFC 9110 §12.5.3).
enum AcceptEncoding {
    static func allowsGzip(_ field: String) -> Bool {
        var any = false
        for item in field.lowercased().split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            let isRefused = parts.dropFirst().contains { $0.hasPrefix("q=") && (Double($0.dropFirst(2)) ?? 0) <= 0 }
            switch parts.first {
            case "gzip", "x-gzip": return !isRefused
            case "*": any = !isRefused
            default: continue
            }
        }
        return any
    }
}
