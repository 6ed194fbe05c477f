import HTTPServer
import HTTPTypes
import JSON
import Notifications

extension Request {
    /// Throws for an unknown or repeated query parameter. A misspelled `kind` that is ignored would act on another
    /// device.
    func checkQuery(_ known: [String]) throws(APIError) {
        var seen: Set<String> = []
        for item in queryItems.items {
            let shown = String(item.name.prefix(40))
            guard known.contains(item.name) else {
                let hint: Message =
                    known.isEmpty
                    ? "This request takes no query parameters."
                    : Spelling.nearest(to: item.name, among: known).map { "Did you mean \($0)?" }
                        ?? "The parameters are \(known.list)."
                throw .unknownParameter(shown, hint: hint)
            }
            guard seen.insert(item.name).inserted else {
                throw .repeatedParameter(shown)
            }
        }
    }

    /// A language tag in Apple's or BCP 47's spelling; nil if the parameter is absent.
    func locale(_ name: String = "locale") throws(APIError) -> LocaleTag? {
        guard let text = queryItems[name] else { return nil }
        do throws(InvalidValue) {
            return try LocaleTag(text)
        } catch {
            throw .invalidParameter(name, code: error.code, error.message)
        }
    }

    /// A parameter with a fixed set of values; `standard` if it is absent.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, otherwise standard: Choice
    ) throws(APIError) -> Choice {
        guard let text = queryItems[name] else { return standard }
        // Older clients write hyphens.
        guard let choice = Choice(rawValue: text) ?? Choice(rawValue: text.replacing("-", with: "_")) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw .notOneOf(names, name)
        }
        return choice
    }
}
