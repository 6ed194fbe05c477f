import HTTPTypes
import JSON

/// Files of devices.
extension APIError {
    static let notADeviceFile = APIError(
        .unsupportedMediaType, "unsupported-media-type",
        "A device file must be sent as the body, as text/csv, application/x-ndjson, application/json or "
            + "application/gzip: curl --data-binary @devices.csv -H 'Content-Type: text/csv'")

    static let noHeader = badRequest("no-header", "The file is empty. Its first line must name the columns.")

    static let damagedFile = badRequest(
        "damaged-file", "The compressed file is damaged or incomplete. Compress or download it again.")

    static func fileTooLarge(gigabytes: Int, ratio: Int) -> APIError {
        APIError(
            .contentTooLarge, "file-too-large",
            "The file expands to more than \(gigabytes) GB, or to more than \(ratio) times its size. Unpack it, and import "
                + "it in parts.")
    }

    static func notATextFile(_ message: Message) -> APIError { badRequest("not-a-text-file", message) }

    static func encodingNotInstalled(_ encoding: String) -> APIError {
        badRequest(
            "encoding-not-installed",
            "The server can't read \(encoding) because its system has no converters (glibc's gconv modules). Install them, "
                + "or save the file as UTF-8.",
            field: "encoding")
    }

    static let invalidColumns = badRequest(
        "invalid-columns",
        "The parameter columns must be the header line that replaces the file's, like token,,attr.plan.",
        field: "columns")

    static let invalidImportName = badRequest(
        "invalid-import", "The name of an import must be 1 to 64 visible ASCII characters.", field: "import")

    static let asOfInTheFuture = badRequest(
        "invalid-as-of", "`as_of` must not be in the future: it says when the file was made.", field: "as_of")
}
