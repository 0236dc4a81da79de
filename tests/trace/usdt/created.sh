# What: probes that a C or C++ program creates while it is traced (lib/usdt): every firing from the first one on, integers of all widths, strings, several providers; by the calls of libusdt and libstapsdt, too.  Needs: uprobe.
# Executors: kernel (probes that the process creates).
. "$LIB"

cat >native.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include "dtrace-usdt.h"
int main(int count, char **values)
{
	long n = atol(values[count - 1]), traced = 0;
	struct dtusdt_provider *p = dtusdt_provider("made"), *q = dtusdt_provider("also_made");
	struct dtusdt_probe *widths = dtusdt_probe(p, "all__widths",
		"int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, const char *name, int");
	struct dtusdt_probe *twelve = dtusdt_probe_in(p, "outer", "twelve", "int,int,int,int,int,int,int,int,int,int,int,int");
	struct dtusdt_probe *fractions = dtusdt_probe(q, "fractions", "double d, float f, int last");
	struct dtusdt_probe *nothing = dtusdt_probe(q, "nothing", NULL);
	if (!widths || !twelve || !fractions || !nothing || dtusdt_enable(p) < 0 || dtusdt_enable(q) < 0) {
		fprintf(stderr, "%s\n", dtusdt_error());
		return 1;
	}
	for (long i = 0; i < n; i++) {
		traced += dtusdt_fire(widths, -128, 255, -32768, 65535, (int32_t)-2147483647 - 1, 4294967295u,
				      INT64_MIN, UINT64_MAX, i % 2 ? "odd" : "even", (int)i);
		traced += dtusdt_fire_values(twelve, (const uint64_t[]) { 1, 2, 3, 4, 5, 6, 7, 8, 9, (uint64_t)i, 11, 12 }, 12);
		traced += dtusdt_fire(fractions, 1.5, -2.5, -1);
		traced += dtusdt_fire(nothing);
	}
	dtusdt_free(p);
	dtusdt_free(q);
	printf("traced %ld\n", traced);
	return 0;
}
C
build_usdt gcc native native.c
./native 5 >out
contains '^traced 0$'
must_trace_arrivals -Zn 'made$target:made:all__widths:all-widths /!i++/ {
		printf("%d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7 == -1ull); }
	made$target:::all-widths { @w[copyinstr(arg8)] = count(); @sum = sum(arg9); }
	made$target::outer:twelve { @t[arg0 + arg1 + arg2 + arg3 + arg4 + arg5 + arg6 + arg7 + arg8] = sum(arg9); }
	also_made$target:::fractions { @f[arg0 == 0x3ff8000000000000, arg1 == 0xc0200000, (int)arg2] = count(); }
	also_made$target:::nothing { @n = count(); }
	END { printa("%s %@d\n", @w); printa("sum %@d\n", @sum); printa("twelve %d %@d\n", @t); printa("fractions %d %d %d %@d\n", @f);
		printa("nothing %@d\n", @n); }' -c './native 1000'
contains '^-128 255 -32768 65535 -2147483648 4294967295 -9223372036854775808 1$'
contains '^even 500$'
contains '^odd 500$'
contains '^sum 499500$'
contains '^twelve 45 499500$'
contains '^fractions 1 1 -1 1000$'
contains '^nothing 1000$'
contains '^traced 4000$'

# The stack is whole: the probe is a function with call frame information.
must_trace_arrivals -Zn 'made$target:::twelve { ustack(); exit(0); }' -c './native 10000000'
contains 'made`outer$'
contains 'native`main+'

# Of every process, and what is listed while they run.
must_trace_arrivals -Zn 'also_made:::nothing { @[execname] = count(); } END { printa("%s %@d\n", @); }' -c './native 300'
contains '^native 300$'

# C++.
cp native.c native.cc
sed -i 's/(const uint64_t\[\]) { \(.*\) }, 12)/list, 12)/; s/^\tfor (long i/\tuint64_t list[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };\n&/' native.cc
build_usdt g++ native-cc native.cc
must_trace_arrivals -Zn 'made$target:::twelve { @ = sum(arg9); } END { printa("sum %@d\n", @); }' -c './native-cc 100'
contains '^sum 1000$'

# A static program has no dynamic linker that could be notified, so it is found as any that runs already: after
# its first firing that is seen, none is missed.
cat >alone.c <<'C'
#include <unistd.h>
#include "dtrace-usdt.h"
int main(void)
{
	struct dtusdt_provider *p = dtusdt_provider("alone");
	struct dtusdt_probe *a = dtusdt_probe(p, "a", "int");
	if (!a || dtusdt_enable(p) < 0) return 1;
	for (int i = 0; i < 60000; i++) dtusdt_fire(a, i), usleep(1000);
	return 0;
}
C
gcc -static -O1 -I "$checkout/lib/usdt" -o alone alone.c "$usdt_library/libdtrace-usdt.a" || fail "cannot link statically"
must_trace_arrivals -Zn 'int next, wrong, n;
	alone:::a { wrong += n && arg0 != next; next = arg0 + 1; n++; }
	alone:::a /n == 100/ { printf("wrong %d\n", wrong); exit(0); }' -c ./alone
contains '^wrong 0$'

# libstapsdt's and libusdt's calls.
cat >headers.cc <<'C'
#include <errno.h>
#include <sys/dtrace.h>
#include "libstapsdt.h"
#include "usdt.h"
int main() { return !usdt_create_provider("name", "module") || !providerInit("name"); }
C
build_usdt g++ headers headers.cc
cat >others.c <<'C'
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include "libstapsdt.h"
#include "usdt.h"
int main(void)
{
	SDTProvider_t *p = providerInit("stap_made");
	SDTProbe_t *six = providerAddProbe(p, "six", 6, int8, uint16, int32, uint64, uint64, int64);
	SDTProbe_t *none = providerAddProbe(p, "none", 0);
	if (providerLoad(p) != 0) return 1;
	for (int i = 0; i < 100; i++) {
		probeFire(six, (uint64_t)-1, (uint64_t)65535, (uint64_t)-i, (uint64_t)i, "text", INT64_MIN);
		probeFire(none);
	}
	providerUnload(p);
	probeFire(none);
	providerDestroy(p);

	const char *types[] = { "char *", "int", "uint8_t", "long" };
	usdt_provider_t *u = usdt_create_provider("usdt_made", "mod");
	usdt_probedef_t *d = usdt_create_probe("func", "four", 4, types);
	if (usdt_provider_add_probe(u, d) != 0 || usdt_provider_enable(u) != 0) return 1;
	for (intptr_t i = 0; i < 200; i++) {
		void *arguments[] = { "usdt's", (void *)-i, (void *)255, (void *)i };
		if (usdt_is_enabled(d->probe))
			usdt_fire_probe(d->probe, 4, arguments);
	}
	usdt_provider_disable(u);
	usdt_provider_free(u);
	usdt_probe_release(d);
	return 0;
}
C
build_usdt gcc others others.c
must_trace_arrivals -Zn 'stap_made$target:stap_made:six:six { @six[arg0, arg1, copyinstr(arg4), arg5 == -0x8000000000000000] = sum(arg2 + 2 * arg3); }
	stap_made$target:::none { @none = count(); }
	usdt_made$target:mod:func:four { @four[copyinstr(arg0), arg2] = sum(2 * arg1 + arg3); }
	END { printa("six %d %d %s %d %@d\n", @six); printa("none %@d\n", @none); printa("four %s %d %@d\n", @four); }' -c ./others
contains '^six -1 65535 text 1 4950$'
contains '^none 100$'
contains "^four usdt's 255 -19900\$"
exit 0
