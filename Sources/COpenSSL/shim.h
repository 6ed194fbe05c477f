// OpenSSL 3. Its macros are functions here, since Swift does not import macros with arguments.
#pragma once
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
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
