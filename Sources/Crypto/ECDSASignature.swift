import COpenSSL

/// Converts a P-256 signature between its two encodings: R‖S in JOSE, a SEQUENCE of two INTEGERs in ASN.1.
enum ECDSASignature {
    /// Bytes of R‖S.
    static let rawLength = 64

    static func raw(fromDER der: [UInt8]) throws(CryptoError) -> [UInt8] {
        let parsed = der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &start, buffer.count)
        }
        guard let parsed else { throw .failed(to: "read a signature") }
        defer { ECDSA_SIG_free(parsed) }
        var r = [UInt8](repeating: 0, count: rawLength / 2)
        var s = r
        guard BN_bn2binpad(ECDSA_SIG_get0_r(parsed), &r, Int32(r.count)) == r.count,
            BN_bn2binpad(ECDSA_SIG_get0_s(parsed), &s, Int32(s.count)) == s.count
        else { throw .failed(to: "read a signature") }
        return r + s
    }

    /// Nil only when out of memory.
    static func der(fromRaw raw: [UInt8]) -> [UInt8]? {
        guard let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let r = BN_bin2bn(Array(raw.prefix(rawLength / 2)), Int32(rawLength / 2), nil)
        let s = BN_bin2bn(Array(raw.suffix(rawLength / 2)), Int32(rawLength / 2), nil)
        guard ECDSA_SIG_set0(signature, r, s) == 1 else {
            BN_free(r)
            BN_free(s)
            return nil
        }
        var der = [UInt8](repeating: 0, count: Int(i2d_ECDSA_SIG(signature, nil)))
        let written = der.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            return i2d_ECDSA_SIG(signature, &start)
        }
        return written == der.count ? der : nil
    }
}
