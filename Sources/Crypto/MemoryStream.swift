import COpenSSL

/// An OpenSSL stream in memory, freed with its scope.
struct MemoryStream: ~Copyable {
    let bio: OpaquePointer

    init(_ bytes: [UInt8] = []) throws(CryptoError) {
        guard let bio = BIO_new(BIO_s_mem()) else { throw .failed(to: "reserve memory") }
        guard bytes.isEmpty || BIO_write(bio, bytes, Int32(bytes.count)) == bytes.count else {
            BIO_free(bio)
            throw .failed(to: "reserve memory")
        }
        self.bio = bio
    }

    deinit { BIO_free(bio) }

    /// Everything written so far.
    func text() -> String {
        let count = BIO_ctrl_pending(bio)
        return String(unsafeUninitializedCapacity: count) { buffer in
            max(0, Int(BIO_read(bio, buffer.baseAddress, Int32(count))))
        }
    }
}
