#!-K what headers declare is C's, all else D's, which hides the kernel's
# 1 "g.h" 1
typedef short header_t; struct header { short s; }; enum { IN_C = 1 };
# 4 "g.d" 2
typedef long program_t; struct queue { char c; };
BEGIN { trace(sizeof(header_t)); trace(sizeof(C`header_t)); trace(sizeof(struct header)); trace(sizeof(C`struct header)); trace(IN_C); }
BEGIN { trace(sizeof(program_t)); trace(sizeof(D`program_t)); trace(sizeof(struct queue)); trace(sizeof(D`struct queue)); trace(sizeof(vmlinux`struct queue)); }
