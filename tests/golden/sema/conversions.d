char c; unsigned char uc; int i; uint32_t u; int64_t l; uint64_t ul; _Bool b;
BEGIN
{
	c = i; c = 5; c = 300; uc = c; i = c; i = i + 1; u = i; i = u; l = i; l = u; ul = l; b = i;
	i = l; i += l; c = i > 3; l = i * 2; u = uc;
	trace((char)i); trace((int64_t)c); trace((uint32_t)l); trace((int)(i + 1)); trace((int *)l);
	trace((long)&`max_pfn); trace((void *)0); trace((unsigned char)(i ? c : uc)); trace((char)(i ? c : uc)); b = b; b = ~b; trace((int)i);
}
