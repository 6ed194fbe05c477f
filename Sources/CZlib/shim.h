// zlib's initialisers are macros; Swift needs functions.
#pragma once
#include <zlib.h>

static inline int belfry_gzip_init(z_stream *stream, int level) {
    // 15 bits of window, plus 16: a gzip header and trailer instead of zlib's.
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int belfry_gunzip_init(z_stream *stream) {
    // Only gzip, not zlib's own format.
    return inflateInit2(stream, 15 + 16);
}
