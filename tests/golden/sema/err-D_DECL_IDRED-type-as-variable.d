int size_t;
typedef int mine_t;
int mine_t;
self int size_t;
