# What: curcpu is an object, one for each CPU: it is compared, cast, kept; strings are accepted where addresses are required.
. "$LIB"
must_trace -n 'BEGIN /curcpu && curcpu != NULL/ { this->c = curcpu; self->last = curcpu; self->cpu = cpu;
		printf("%d %d %d\n", this->c->cpu_id - cpu, this->c->cpu_chip - chip, (uintptr_t)curcpu == (uintptr_t)this->c); }
	BEGIN { kept = xlate <cpuinfo_t *>(0); printf("%d %d\n", kept->cpu_id, (kept == curcpu) == (cpu == 0)); exit(0); }
	END { printf("%d %d\n", self->last->cpu_id - self->cpu, (self->last == curcpu) == (self->cpu == cpu)); }'
same "$(cat out)" "0 0 1
0 1
0 1" "curcpu"
must_trace -n 'BEGIN { p = alloca(10); bcopy(probename, p, 6); printf("%s ", stringof(p)); bcopy("xyz", p, 4); printf("%s ", stringof(p));
	bcopy(strjoin("a", "b"), p, 3); printf("%s\n", stringof(p)); exit(0); }'
same "$(cat out)" "BEGIN xyz ab" "strings as addresses"
trace -n 'BEGIN { pcap(0, PCAP_IP); } ERROR { exit(0); }'
contains 'invalid address (0x' err
