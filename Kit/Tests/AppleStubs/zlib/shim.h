// A module map can't name a header of the system by its search path.
#include <zlib.h>
