import COpenSSL
import EventLoop
import Glibc

/// The root certificates of the system, read once and then shared by all clients. OpenSSL on its own would read them
/// for each context, silently as none if no file descriptor is left.
public enum SystemRoots {
    private static let loaded = Lock<RootStore?>(nil)

    /// Reads the certificates unless they are in memory. Throws if there are none; the next call then reads them again.
    public static func load() throws(TLSError) { _ = try store() }

    static func store() throws(TLSError) -> RootStore {
        if let store = loaded.withLock({ $0 }) { return store }
        let file = setting(X509_get_default_cert_file_env()) ?? String(cString: X509_get_default_cert_file())
        let folders = setting(X509_get_default_cert_dir_env()) ?? String(cString: X509_get_default_cert_dir())
        let store = try RootStore(file: file, folders: folders.split(separator: ":").map(String.init))
        loaded.withLock { $0 = store }
        return store
    }

    private static func setting(_ name: UnsafePointer<CChar>?) -> String? {
        name.flatMap { getenv($0) }.map { String(cString: $0) }
    }
}

/// Trusted certificates in memory.
///
/// `@unchecked Sendable`: OpenSSL counts references to an `X509_STORE` and locks it itself.
final class RootStore: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Reads the file (PEM). Without a certificate in it, reads all files of the folders.
    init(file: String, folders: [String]) throws(TLSError) {
        guard let pointer = X509_STORE_new() else {
            throw .configuration(OpenSSLErrors.take() ?? "OpenSSL could not allocate a certificate store")
        }
        self.pointer = pointer
        defer { ERR_clear_error() }
        if X509_STORE_load_file(pointer, file) == 1 { return }
        var count = 0
        for path in folders.flatMap(Self.files) where X509_STORE_load_file(pointer, path) == 1 { count += 1 }
        guard count > 0 else {
            throw .configuration(
                """
                no trusted root certificates in \(file) or \(folders.joined(separator: ", ")); on Debian, install \
                ca-certificates
                """)
        }
    }

    deinit { X509_STORE_free(pointer) }

    /// The paths of what is in a folder; none if it can't be read.
    private static func files(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var paths: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            paths.append("\(folder)/\(name)")
        }
        return paths
    }
}
