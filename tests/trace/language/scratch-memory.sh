# What: memory of alloca() and copyin() is read and written in its pieces only, by each form of D; also by addresses that are out of date.
. "$LIB"

# A clause in each line: all but those marked as fine are faults.  The size of r is known only at run time.
cat >faults.d <<'E2'
struct two { int a; int b; char text[8]; };
struct two own;
this struct two inner;
/* fine */ BEGIN { n = 5; eight = 8; past = 9; family = 2; }
BEGIN { this->p = (char *)alloca(8); printf("%d", this->p[8]); }
BEGIN { this->p = (char *)strjoin("ab", "cd"); printf("%d", this->p[1000]); }
BEGIN { this->p = (char *)execname; tracemem(this->p, 1000); }
BEGIN { this->p = (char *)alloca(8); this->q = (char *)alloca(8); printf("%d", this->p[8]); }
BEGIN { this->p = (char *)alloca(8); printf("%d", *(this->p - 1)); }
BEGIN { this->p = (char *)alloca(8); printf("%d", *(int *)(this->p + 5)); }
BEGIN { this->p = (char *)alloca(8); printf("%d", ((struct two *)(this->p + 4))->b); }
BEGIN { this->p = (char *)alloca(8); own = *(struct two *)this->p; }
BEGIN { this->r = (char *)alloca(n); printf("%d", this->r[n]); }
BEGIN { this->p = (char *)alloca(8); printf("%s", stringof(this->p + 9)); }
BEGIN { this->p = (char *)alloca(8); printf("%s", ((struct two *)(this->p + 4))->text); }
BEGIN { this->p = (char *)alloca(8); @[stringof(this->p + 9)] = count(); }
BEGIN { this->p = (char *)alloca(8); this->n = strlen(stringof(this->p - 1)); }
BEGIN { this->p = (char *)alloca(8); tracemem(this->p, 9); }
BEGIN { this->p = (char *)alloca(8); print((struct two *)this->p); }
BEGIN { this->p = (char *)alloca(8); print(*(struct two *)this->p); }
BEGIN { this->p = (char *)alloca(8); printf("%s", inet_ntoa(this->p + 5)); }
BEGIN { this->p = (char *)alloca(8); printf("%s", inet_ntoa6(this->p)); }
BEGIN { this->p = (char *)alloca(8); printf("%s", inet_ntop(family + 8, this->p)); }
BEGIN { this->p = (char *)alloca(8); printf("%s", link_ntop(1, this->p + 3)); }
BEGIN { this->p = (char *)alloca(8); this->q = (char *)alloca(8); bcopy(this->p, this->q, 9); }
BEGIN { this->p = (char *)alloca(8); this->q = (char *)alloca(16); bcopy(this->p, this->q, 9); }
BEGIN { this->p = (char *)alloca(8); this->q = (char *)alloca(16); bcopy(this->p, this->q, past); }
BEGIN { this->p = (char *)alloca(16); this->q = (char *)alloca(8); bcopy(this->p, this->q, past); }
BEGIN { this->p = (char *)alloca(16); this->q = (char *)alloca(8); bcopy(this->p, this->q + 1, eight); }
BEGIN { this->p = (char *)alloca(8); bcopy(this->p, own.text, past - 1); bcopy(this->p + 1, own.text, eight); }
BEGIN { this->p = (char *)alloca(8); this->p[8] = 1; }
BEGIN { this->p = (char *)alloca(8); this->p[-1] = 1; }
BEGIN { this->p = (char *)alloca(8); ((struct two *)(this->p + 4))->b++; }
BEGIN { this->p = (char *)alloca(8); *(struct two *)this->p = own; }
BEGIN { this->p = (char *)alloca(8); *(string *)this->p = "x"; }
BEGIN { this->r = (char *)alloca(n); this->r[n] = 1; }
BEGIN { this->p = n > 5 ? (char *)alloca(8) : 0; this->q = (char *)alloca(8); this->q[-16] = 1; }
BEGIN { this->p = (char *)alloca(0); printf("%d", this->p[0]); }
BEGIN / *((char *)alloca(8) + 8) / { printf("predicate"); }
BEGIN { this->at = (uint64_t)alloca(8); printf("%d", *(int *)(this->at + 6)); }
BEGIN { this->to = (uint64_t *)alloca(8); *this->to = (uint64_t)alloca(8); printf("%d", *(char *)(*this->to + 8)); }
BEGIN { this->x = &this->inner.a; this->y = (char *)alloca(8); printf("%d", this->x[4]); }
BEGIN { this->x = &this->inner.a; this->y = (char *)alloca(8); printf("%d", *(long *)((char *)this->x - 16)); }
BEGIN { this->a = (char *)alloca(8); this->b = (char *)alloca(8); this->c = (char *)alloca(8); this->d = (char *)alloca(8); this->e = (char *)alloca(8); this->f = (char *)alloca(8); this->g = (char *)alloca(8); this->h = (char *)alloca(8); this->i = (char *)alloca(8); this->j = (char *)alloca(8); this->j[7] = 1; this->a[8] = 1; }
BEGIN { this->p = (char *)alloca(8); printf("%s", copyinstr((uintptr_t)this->p)); }
BEGIN { this->p = (char *)alloca(8); this->q = copyin((uintptr_t)this->p, 8); }
/* fine */ BEGIN { old = (char *)alloca(8); old[0] = 'o'; }
BEGIN { printf("%c", old[0]); }
BEGIN { this->fresh = (char *)alloca(8); this->fresh[0] = 'f'; printf("%c", *(old + 8)); }
BEGIN { bcopy(old, own.text, 8); }
BEGIN { old[0] = 'n'; }
ERROR { printf("%d:%d ", arg1, arg4); }
/* fine */ BEGIN { exit(0); }
E2
# By the number of the clause among those of BEGIN.
want=$(grep 'BEGIN' faults.d | grep -nv '^/. fine' | sed 's/:.*/:1/' | tr '\n' ' ')
for executor in kernel interpreter; do
	must_fault -x executor=$executor -s faults.d
	same "$(sed '/^$/d' out)" "$want" "faults with executor=$executor"
done

# A string that is computed lasts as long as the firing, where a pointer leads to it.
cat >strings.d <<'E2'
BEGIN
{
	this->p = (char *)strjoin("ab", "cd");
	this->s = "efgh";
	this->q = (char *)this->s;
	this->s = strjoin("xy", "zw");
	this->name = (char *)probename;
	printf("%s %s %s %s %c\n", stringof(this->p), stringof(this->q), this->s, stringof(this->name), this->p[3]);
	x = (string)0;
	printf("%d\n", (char *)x == NULL);
}
BEGIN { this->s = strjoin("i", "j"); printf("%s %s\n", stringof(this->p), this->s); exit(0); }
E2
for executor in kernel interpreter; do
	must_trace -x executor=$executor -s strings.d
	same "$(sed '/^$/d' out)" "abcd efgh xyzw BEGIN d
1
abcd ij" "kept strings with executor=$executor"
done

# A later firing has no such string yet, nor has it taken the address of its this variable.
cat >later.d <<'E2'
struct two { int a; char text[8]; };
this struct two inner;
BEGIN { kept = (char *)strjoin("ab", "cd"); this->inner.text[1] = 5; own = (char *)this->inner.text; }
BEGIN { printf("%s %d\n", stringof(kept), own[1]); }
tick-10ms { printf("[%s]\n", stringof(kept)); }
tick-10ms { printf("[%d]\n", own[1]); }
ERROR { printf("fault %d\n", arg4); n++; }
ERROR /n == 2/ { exit(0); }
E2
for executor in kernel interpreter; do
	timeout 20 "$DTRACE" -qx executor=$executor -s later.d >out 2>err || fail "status $?: $(cat err)"
	same "$(sed '/^$/d' out)" "abcd 5
fault 1
fault 1" "strings of an earlier firing with executor=$executor"
done

# What is inside is read and written: to the last byte, pieces one by one, memory of the kernel, a this variable by its address.
cat >fine.d <<'E2'
struct two { int a; int b; };
this struct two inner;
struct two own;
BEGIN
{
	n = 6;
	this->p = (char *)alloca(8);
	this->r = (char *)alloca(n);
	this->at = &this->inner.a;
	this->at[1] = 5;
	*(int *)(this->p + 4) = 7;
	bcopy(this->p, this->r, n);
	own = *(struct two *)this->p;
	bcopy(this->at, this->p, sizeof(struct two));
	printf("%d %d %d %d\n", own.b, this->at[1], ((struct two *)this->p)->b, this->r[4]);
	bcopy((char *)"abcdefgh", this->p, 8);
	printf("%s %s [%s] %s\n", stringof(this->p), stringof(this->p + 7), stringof(this->p + 8), stringof(this->r + n));
	printf("%s %s %s %s\n", inet_ntoa(this->p + 4), inet_ntop(2, this->p + 4), link_ntop(1, this->p + 2), inet_ntoa6(alloca(16)));
	this->own = (uint64_t)curthread;
	printf("%d\n", ((struct task_struct *)this->own)->pid == pid);
	this->copy = (struct task_struct *)alloca(sizeof(struct task_struct));
	bcopy(curthread, this->copy, sizeof(struct task_struct));
	printf("%d %s\n", this->copy->pid == pid, stringof(this->copy->comm));
	kept = this->p;
}
BEGIN { this->to = (char *)alloca(0); bcopy(this->to, this->to, 0); printf("[%s]\n", stringof(this->to)); exit(0); }
END { printf("%c", kept[0]); }
ERROR { printf("%s: %d\n", probename, arg4); }
E2
must_fault -x scratchsize=16k -s fine.d # task_struct has 9,792 bytes on 6.1
same "$(sed '/^$/d' out)" "7 5 5 7
abcdefgh h [] 
101.102.103.104 101.102.103.104 63:64:65:66:67:68 ::
1
1 dtrace
[]
ERROR: 1" "what is inside, and an address of an earlier firing"
