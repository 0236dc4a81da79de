# 1 "g.h" 1
typedef float three_t __attribute__((vector_size(6)));
typedef int odd_t __attribute__((mode(ODD)));
struct s { int x __attribute__((vector_size(0))); };
# 5 "g.d" 2
int none[0];
_Complex string s;
BEGIN { }
