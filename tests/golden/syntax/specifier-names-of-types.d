#!-n
size_t*, foo_t { } size_t, foo_t*
