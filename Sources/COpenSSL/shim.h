// OpenSSL 3. Its macros are functions here, since Swift does not import macros with arguments.
#pragma once
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline int belfry_ssl_min_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}
static inline void belfry_ssl_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }
static inline void belfry_ssl_read_ahead(SSL_CTX *context, int on) { SSL_CTX_set_read_ahead(context, on); }
static inline int belfry_ssl_server_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}
static inline int belfry_ssl_extra_certificate(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add_extra_chain_cert(context, certificate);
}
static inline int belfry_ssl_trust(SSL_CTX *context, X509 *certificate) {
    return X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate);
}
static inline uint64_t belfry_ssl_ignore_eof(void) { return SSL_OP_IGNORE_UNEXPECTED_EOF; }
// RFC 9113, section 9.2.1.
static inline uint64_t belfry_ssl_no_renegotiation(void) { return SSL_OP_NO_RENEGOTIATION; }

// SHA-256 as a plain struct: a keyed state is copied instead of being made anew, which no EVP call
// offers without an allocation (see HMACKey.swift). OpenSSL 3 deprecates these three, not SHA256_CTX.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static inline void belfry_sha256_init(SHA256_CTX *state) { SHA256_Init(state); }
static inline void belfry_sha256_update(SHA256_CTX *state, const void *bytes, size_t count) {
    SHA256_Update(state, bytes, count);
}
static inline void belfry_sha256_final(SHA256_CTX *state, unsigned char *digest) { SHA256_Final(digest, state); }
#pragma GCC diagnostic pop

// Variadic behind a macro.
static inline EVP_PKEY *belfry_generate_p256_key(void) { return EVP_EC_gen("P-256"); }

// The context lives on the stack and has no other use. 1 on success.
static inline int belfry_x509_add_extension(X509 *certificate, X509 *issuer, int nid, const char *value) {
    X509V3_CTX context = {0};
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    if (extension == NULL) return 0;
    int added = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return added;
}
