#include <sys/types.h>
#define ONE 1
#if defined(ONE)
#nothing
BEGIN { trace(1); }
#else
#endif
BEGIN { trace(2 2); }
