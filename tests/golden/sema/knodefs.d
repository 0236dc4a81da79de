#!-k symbols that do not exist are at address 0
extern int nowhere;
BEGIN { trace(`nowhere); trace((uint64_t)&`unheard_of); }
