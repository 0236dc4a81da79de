/* What: each way in which a this variable gets an address of alloca() keeps that memory by itself. */
inline char *marked[char *p] = (p[0] = 'a', p);
BEGIN { this->argument = marked[(char *)alloca(4)]; }
BEGIN { this->step = (char *)alloca(4); this->step[0] = 'b'; this->before = this->step++; }
BEGIN { this->sum = (char *)8; this->sum += (uint64_t)alloca(4) - 8; this->sum[0] = 'c'; }
BEGIN { this->right = 1 + (uint64_t)alloca(4); *(char *)this->right = 'd'; }
BEGIN { bcopy((char *)"................................................................", alloca(64), 64); }
BEGIN
{
	printf("%s %s %s %s\n", stringof(this->argument), stringof(this->before), stringof(this->sum), stringof(this->right));
	exit(0);
}
