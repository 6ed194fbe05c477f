import ArgumentParser
import Configuration

/// TLS of the web server as command-line options.
struct TLSOptions: ParsableArguments {
    @Option(
        help: """
            File with the server's certificate and its chain (PEM). With it and --tls-key Belfry serves https. It is \
            read again when it changes. [BELFRY_TLS_CERTIFICATE]
            """)
    var tlsCertificate: String?

    @Option(help: "File with the certificate's private key (PEM, not encrypted). [BELFRY_TLS_KEY]")
    var tlsKey: String?

    /// Nil without TLS.
    func files(_ reader: ConfigReader) throws -> CertificateFiles? {
        let certificate = tlsCertificate ?? reader.string(forKey: "belfry.tls.certificate")
        let key = tlsKey ?? reader.string(forKey: "belfry.tls.key")
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return CertificateFiles(certificate: certificate, key: key)
        default: throw ValidationError("--tls-certificate and --tls-key must be given together.")
        }
    }
}
