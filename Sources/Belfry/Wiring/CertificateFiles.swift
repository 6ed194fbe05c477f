import Crypto
import Glibc
import Logging
import Metrics
import TLS

/// The files of the web server's certificate and key.
struct CertificateFiles: Sendable {
    /// Seconds before its expiry in which a certificate is logged as a warning: two weeks.
    static let expiryWarning = 14 * 86_400

    let certificate: String
    let key: String

    /// Which versions of the files there are. Two readings differ if a file was replaced or changed.
    struct Version: Equatable {
        private var files: [[Int]] = []

        init(_ paths: String...) {
            for path in paths {
                var status = stat()
                // A missing file is a version as well.
                let found = stat(path, &status) == 0
                files.append(
                    found
                        ? [Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec] : [])
            }
        }
    }

    var version: Version { Version(certificate, key) }

    /// Reads both files. Throws a `CommandFailure` that tells the operator what to correct.
    func load() throws(CommandFailure) -> TLSContext {
        do {
            let chainText = try TextFile.bytes(certificate)
            try FilePermissions(key).check("TLS key", isSecret: true)
            let chain = try PEMFile.certificates(chainText)
            let privateKey = try PEMFile.privateKey(TextFile.bytes(key))
            return try TLSContext.server(
                certificateChain: chain, privateKey: privateKey, alpn: ["http/1.1"], releasesIdleBuffers: true)
        } catch let failure as CommandFailure {
            throw failure
        } catch TLSError.configuration(let reason) {
            throw CommandFailure("The TLS certificate \(certificate) with the key \(key) can't be used: \(reason).")
        } catch CryptoError.notAPrivateKey(let reason) {
            throw CommandFailure("The TLS key \(key) can't be used: \(reason).")
        } catch CryptoError.notACertificate(let reason) {
            throw CommandFailure("The TLS certificate \(certificate) can't be used: \(reason).")
        } catch {
            throw CommandFailure("The TLS certificate \(certificate) can't be used: \(error)")
        }
    }

    /// Shows when the certificate expires in the metrics, and logs one that has expired or will soon.
    func reportExpiry(of context: TLSContext, to metrics: any MetricsFactory, _ logger: Logger) {
        guard let seconds = context.secondsUntilExpiry else { return }
        Gauge(label: "belfry_certificate_expiry_timestamp_seconds", factory: metrics)
            .record(Double(time(nil) + seconds))
        guard seconds < Self.expiryWarning else { return }
        logger.warning(
            seconds < 0 ? "TLS certificate has expired" : "TLS certificate expires soon",
            metadata: ["file": "\(certificate)", "hours": "\(abs(seconds) / 3_600)"])
    }
}
