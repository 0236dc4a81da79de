struct pt { int x; int v[4]; };
struct pt s[int];
BEGIN { x = 5; x += x++; x += pid; y = 1; x += y++; this->p = alloca(8); a[1] = 1; }
BEGIN { bcopy(this->p, (char *)this->p + x++, x++); bcopy(this->p, this->p, 1); substr("abc", x++); }
BEGIN { a[x++] = x++; a[x] = x++; a[x] = y++; a[pid] = x++; a[x++] += y; a[x++] += x++; a[x] += a[y]++; a[arg0] += y++; }
BEGIN { s[y++].v[x] = x++; s[y].v[x] += s[y].x++; a[*(int *)arg0] = x++; a[*(int *)arg0] = y; p = (int *)this->p; *p += y++; *p += *p++; }
BEGIN { @[x] = sum(x++); @a[pid, execname, x] = sum(x++); @b[x] = sum(y++); @c[strtok("a", "b")] = quantize(x, y++); x = x++ + *(y + p); }
