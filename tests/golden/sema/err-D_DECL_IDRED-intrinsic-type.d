inline int size_t = 1;
enum { uint8_t };
int pid_t;
typedef char ushort_t;
BEGIN { trace(sizeof(ushort_t)); }
