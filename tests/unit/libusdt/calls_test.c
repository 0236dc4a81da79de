/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../lib/usdt/internal.h"
#include "../../../lib/usdt/libstapsdt.h"
#include "../../../lib/usdt/usdt.h"
#include "test.h"

#define CHECK_FAILS(call, number, text)                                                            \
	do {                                                                                       \
		errno = 0;                                                                         \
		CHECK(call);                                                                       \
		CHECK_INT(errno, number);                                                          \
		if (!strstr(dtusdt_error(), text))                                                 \
			CHECK_STR(dtusdt_error(), text);                                           \
	} while (0)

/* How many mappings of this process have NAME in their line. */
static int mappings(const char *name)
{
	char line[512];
	int count = 0;
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps && fgets(line, sizeof(line), maps))
		count += strstr(line, name) != NULL;
	if (maps)
		fclose(maps);
	return count;
}

/* What the kernel does for a tracer. */
static void trace(struct dtusdt_probe *p, int by)
{
	*(volatile uint16_t *)(uintptr_t)p->semaphore += (uint16_t)by;
}

/* --- the interface of dtrace-usdt.h --- */

TEST(bad_names_are_refused)
{
	struct dtusdt_provider *p = dtusdt_provider("calls");
	CHECK_FAILS(!dtusdt_provider(NULL), EINVAL, "needs a name");
	CHECK_FAILS(!dtusdt_provider(""), EINVAL, "needs a name");
	CHECK_FAILS(!dtusdt_provider("a\"b"), EINVAL, "byte 1, 0x22");
	CHECK_FAILS(!dtusdt_provider("it's"), EINVAL, "byte 2, 0x27");
	CHECK_FAILS(!dtusdt_provider("a b"), EINVAL, "0x20");
	CHECK_FAILS(!dtusdt_provider("a:b"), EINVAL, "0x3a");
	CHECK_FAILS(!dtusdt_provider("caf\303\251"), EINVAL, "0xc3");
	CHECK_FAILS(!dtusdt_provider("1st"), EINVAL, "begins with a letter");
	CHECK_FAILS(!dtusdt_provider("shop2"), EINVAL, "end in a digit");
	CHECK_FAILS(!dtusdt_provider("pid"), EINVAL, "cannot be pid");
	CHECK_FAILS(!dtusdt_provider(
			    "a234567890123456789012345678901234567890123456789012345678901234"),
		    ENAMETOOLONG, "at most 63 bytes");
	CHECK_FAILS(!dtusdt_probe(p, NULL, ""), EINVAL, "needs a name");
	CHECK_FAILS(!dtusdt_probe(p, "x\"", ""), EINVAL, "probe");
	CHECK_FAILS(!dtusdt_probe_in(p, "f`g", "x", ""), EINVAL, "function");
	CHECK_FAILS(!dtusdt_probe_in(p, NULL, "x", ""), EINVAL, "function needs a name");
	CHECK_FAILS(dtusdt_module(p, "a/b") < 0, EINVAL, "module");
	CHECK_FAILS(!dtusdt_probe(p, "x", "int, what y"), EINVAL, "what y");
	CHECK_FAILS(!dtusdt_probe(p, "x", "int,int,int,int,int,int,int,int,int,int,int,int,int"),
		    E2BIG, "at most 12");
	dtusdt_free(p);
}

TEST(null_is_refused_or_nothing)
{
	CHECK_FAILS(!dtusdt_probe(NULL, "x", ""), EINVAL, "no provider");
	CHECK_FAILS(dtusdt_enable(NULL) < 0, EINVAL, "no provider");
	CHECK_FAILS(dtusdt_disable(NULL) < 0, EINVAL, "no provider");
	CHECK_FAILS(dtusdt_module(NULL, "x") < 0, EINVAL, "no provider");
	CHECK_FAILS(dtusdt_use_file(NULL, 1) < 0, EINVAL, "no provider");
	CHECK_INT(dtusdt_enabled(NULL), 0);
	CHECK_INT(dtusdt_fire(NULL, 1), 0);
	CHECK_INT(dtusdt_fire_values(NULL, NULL, 0), 0);
	dtusdt_free(NULL);
}

TEST(probes_change_only_while_the_provider_is_disabled)
{
	struct dtusdt_provider *p = dtusdt_provider("calls");
	CHECK_FAILS(dtusdt_enable(p) < 0, ENOENT, "no probes");
	CHECK(dtusdt_probe(p, "a", "int"));
	CHECK_FAILS(!dtusdt_probe(p, "a", ""), EEXIST, "already");
	CHECK(dtusdt_probe_in(p, "other", "a", ""));
	CHECK_INT(dtusdt_enable(p), 0);
	CHECK_FAILS(!dtusdt_probe(p, "b", ""), EBUSY, "is enabled");
	CHECK_FAILS(dtusdt_enable(p) < 0, EBUSY, "is enabled");
	CHECK_FAILS(dtusdt_module(p, "m") < 0, EBUSY, "is enabled");
	CHECK_INT(dtusdt_disable(p), 0);
	CHECK_INT(dtusdt_disable(p), 0);
	CHECK(dtusdt_probe(p, "b", ""));
	CHECK_INT(dtusdt_enable(p), 0);
	dtusdt_free(p);
	CHECK_INT(mappings("memfd:calls"), 0);
}

TEST(mapped_while_enabled)
{
	struct dtusdt_provider *p = dtusdt_provider("calls"), *q = dtusdt_provider("second");
	struct dtusdt_probe *a = dtusdt_probe(p, "a", "int"), *b = dtusdt_probe(q, "b", "");
	CHECK_INT(dtusdt_enable(p), 0);
	CHECK_INT(dtusdt_enable(q), 0);
	CHECK_INT(mappings("memfd:calls"), 2);
	CHECK_INT(mappings("memfd:second"), 2);
	CHECK_INT(dtusdt_enabled(a), 0);
	CHECK_INT(dtusdt_fire(a, 5), 0);
	trace(a, 1);
	CHECK_INT(dtusdt_enabled(a), 1);
	CHECK_INT(dtusdt_enabled(b), 0);
	CHECK_INT(dtusdt_fire(a, 5), 1);
	CHECK_INT(dtusdt_fire_values(a, NULL, 1), 0);
	CHECK_INT(dtusdt_fire_values(a, (const uint64_t[14]) { 1 }, 14), 1);
	CHECK_INT(dtusdt_disable(p), 0);
	CHECK_INT(mappings("memfd:calls"), 0);
	CHECK_INT(dtusdt_enabled(a), 0);
	CHECK_INT(dtusdt_fire(a, 5), 0);
	dtusdt_free(p);
	dtusdt_free(q);
}

/* So that tracers find the probes that they know. */
TEST(enabled_again_with_the_same_file)
{
	struct dtusdt_provider *p = dtusdt_provider("calls");
	struct dtusdt_probe *a = dtusdt_probe(p, "a", "");
	char first[512] = "", again[512] = "";
	for (char *line = first; line; line = line == first ? again : NULL) {
		CHECK_INT(dtusdt_enable(p), 0);
		FILE *maps = fopen("/proc/self/maps", "r");
		while (fgets(line, 512, maps) && !strstr(line, "memfd:calls"))
			;
		fclose(maps);
		CHECK_INT(dtusdt_disable(p), 0);
	}
	CHECK_STR(first, again); /* with its inode */
	CHECK(strstr(first, "memfd:calls"));
	CHECK_INT(dtusdt_module(p, "other"), 0);
	CHECK_INT(dtusdt_enable(p), 0);
	CHECK_INT(mappings("memfd:other"), 2);
	for (int i = 0; i < 300; i++) { /* it outgrows its first addresses */
		char name[32];
		dtusdt_disable(p);
		sprintf(name, "probe%d", i);
		struct dtusdt_probe *b = dtusdt_probe(p, name, "int,int,int");
		CHECK_INT(dtusdt_enable(p), 0);
		trace(a, 1);
		trace(b, 1);
		CHECK(dtusdt_fire(a) && dtusdt_fire(b, 1, 2, 3));
	}
	dtusdt_free(p);
}

TEST(no_descriptor_no_probes)
{
	struct rlimit before;
	getrlimit(RLIMIT_NOFILE, &before);
	struct dtusdt_provider *p = dtusdt_provider("calls");
	struct dtusdt_probe *a = dtusdt_probe(p, "a", "");
	setrlimit(RLIMIT_NOFILE, &(struct rlimit) { 0, before.rlim_max });
	CHECK_FAILS(dtusdt_enable(p) < 0, EMFILE, "cannot make a file in memory: Too many open");
	setrlimit(RLIMIT_NOFILE, &before);
	CHECK_INT(dtusdt_fire(a), 0);
	CHECK_INT(dtusdt_enable(p), 0);
	trace(a, 1);
	CHECK_INT(dtusdt_fire(a), 1);
	dtusdt_free(p);
}

/* As daemons do, which close all descriptors; the next files get their numbers. */
TEST(descriptors_of_others_are_left_alone)
{
	struct dtusdt_provider *p = dtusdt_provider("calls");
	CHECK(dtusdt_probe(p, "a", ""));
	int fd = dup(0);
	close(fd); /* the next one */
	CHECK_INT(dtusdt_enable(p), 0);
	CHECK_INT(dup2(0, fd), fd);
	CHECK_INT(dtusdt_disable(p), 0);
	CHECK_INT(dtusdt_enable(p), 0);
	CHECK_INT(mappings("memfd:calls"), 2);
	dtusdt_free(p);
	CHECK_INT(close(fd), 0);
}

TEST(a_file_in_a_folder)
{
	char folder[] = "/tmp/calls_test-XXXXXX";
	CHECK(mkdtemp(folder));
	setenv("TMPDIR", folder, 1);
	struct dtusdt_provider *p = dtusdt_provider("calls");
	CHECK(dtusdt_probe(p, "a", ""));
	CHECK_INT(dtusdt_use_file(p, 1), 0);
	CHECK_INT(dtusdt_enable(p), 0);
	CHECK_INT(mappings(folder), 2);
	dtusdt_free(p);
	CHECK_INT(rmdir(folder), 0); /* the file is gone */
	p = dtusdt_provider("calls");
	CHECK(dtusdt_probe(p, "a", ""));
	CHECK_INT(dtusdt_use_file(p, 1), 0);
	CHECK_FAILS(dtusdt_enable(p) < 0, ENOENT, "cannot make the file");
	CHECK_INT(dtusdt_use_file(p, 0), 0);
	CHECK_INT(dtusdt_enable(p), 0);
	dtusdt_free(p);
	unsetenv("TMPDIR");
}

/* --- threads and processes --- */

static struct dtusdt_probe *shared[2];
static volatile bool is_over;
static long fired;

static void *fire_all(void *arg)
{
	long n = 0;
	while (!is_over)
		n += dtusdt_fire(shared[0], 1, "text") +
		     dtusdt_fire(shared[1], 1, 2, 3, 4, 5, 6, 7);
	__atomic_fetch_add(&fired, n, __ATOMIC_RELAXED);
	return NULL;
}

TEST(threads_fire_while_another_enables_and_disables)
{
	struct dtusdt_provider *p = dtusdt_provider("calls");
	pthread_t threads[4];
	shared[0] = dtusdt_probe(p, "a", "int, char *");
	shared[1] = dtusdt_probe(p, "b", "int,int,int,int,int,int,int");
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, fire_all, NULL);
	for (int round = 0; round < 1000; round++) {
		CHECK_INT(dtusdt_enable(p), 0);
		trace(shared[0], 1);
		trace(shared[1], 1);
		if (round % 2)
			usleep(50);
		CHECK_INT(dtusdt_disable(p), 0);
		CHECK_INT(mappings("memfd:calls"), 0);
	}
	is_over = true;
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	CHECK(fired > 0);
	dtusdt_free(p);
}

/* In a child, of threads that fire elsewhere, nobody waits for these. */
TEST(a_child_has_the_probes)
{
	struct dtusdt_provider *p = dtusdt_provider("calls");
	struct dtusdt_probe *a = dtusdt_probe(p, "a", "int");
	CHECK_INT(dtusdt_enable(p), 0);
	trace(a, 1);
	a->firing = 1; /* another thread is in it */
	pid_t child = fork();
	if (child == 0) {
		bool is_good = dtusdt_fire(a, 1) && dtusdt_disable(p) == 0 &&
			       mappings("memfd:calls") == 0 && !dtusdt_fire(a, 1) &&
			       dtusdt_enable(p) == 0 && mappings("memfd:calls") == 2;
		_exit(is_good ? 0 : 1);
	}
	int status;
	waitpid(child, &status, 0);
	CHECK_INT(status, 0);
	CHECK(dtusdt_fire(a, 1));
	a->firing = 0;
	dtusdt_free(p);
}

TEST(a_thread_that_stays_keeps_the_code)
{
	struct dtusdt_provider *p = dtusdt_provider("calls");
	struct dtusdt_probe *a = dtusdt_probe(p, "a", "int");
	CHECK_INT(dtusdt_enable(p), 0);
	a->firing = 1;
	CHECK_INT(dtusdt_disable(p), 0); /* after a second */
	CHECK_INT(mappings("memfd:calls"), 2);
	CHECK_INT(dtusdt_fire(a, 1), 0);
	a->firing = 0;
	CHECK_INT(dtusdt_disable(p), 0);
	CHECK_INT(mappings("memfd:calls"), 0);
	CHECK_INT(dtusdt_enable(p), 0);
	a->firing = 1;
	CHECK_INT(dtusdt_disable(p), 0);
	CHECK(dtusdt_probe(p, "b", ""));
	CHECK_FAILS(dtusdt_enable(p) < 0, EBUSY, "still in a probe");
	a->firing = 0;
	CHECK_INT(dtusdt_enable(p), 0);
	dtusdt_free(p);
}

/* --- the interface of libusdt --- */

TEST(libusdt_as_its_users_call_it)
{
	const char *types[] = { "char *", "int" };
	usdt_provider_t *p = usdt_create_provider("calls", "modname");
	usdt_probedef_t *a = usdt_create_probe("func", "a", 2, types);
	usdt_probedef_t *b = usdt_create_probe("func", "b", 0, NULL);
	CHECK_INT(usdt_provider_enable(p), -1);
	CHECK(strstr(usdt_errstr(p), "no probes"));
	CHECK_INT(usdt_provider_add_probe(p, a), 0);
	CHECK_INT(usdt_provider_add_probe(p, a), -1);
	CHECK(strstr(usdt_errstr(p), "calls:modname:func:a already"));
	CHECK_INT(usdt_provider_add_probe(p, b), 0);
	CHECK_INT(usdt_is_enabled(a->probe), 0);
	CHECK_INT(usdt_provider_enable(p), 0);
	CHECK_INT(p->enabled, 1);
	CHECK_INT(usdt_provider_enable(p), 0);
	CHECK(strstr(usdt_errstr(p), "enabled already"));
	CHECK_INT(mappings("memfd:modname"), 2);
	trace(a->probe->probe_addr, 1);
	CHECK_INT(usdt_is_enabled(a->probe), 1);
	CHECK_INT(usdt_is_enabled(b->probe), 0);
	void *values[] = { (void *)"text", (void *)5 };
	usdt_fire_probe(a->probe, 2, values);
	usdt_fire_probe(b->probe, 0, NULL);
	CHECK_INT(usdt_provider_remove_probe(p, b), 0);
	CHECK_INT(usdt_provider_remove_probe(p, b), -1);
	CHECK(strstr(usdt_errstr(p), "no probe calls:modname:func:b"));
	usdt_fire_probe(b->probe, 0, NULL);
	usdt_probe_release(b); /* while its note is still shown */
	CHECK_INT(usdt_provider_disable(p), 0);
	CHECK_INT(usdt_provider_disable(p), 0);
	CHECK_INT(usdt_is_enabled(a->probe), 0);
	usdt_fire_probe(a->probe, 2, values);
	usdt_probe_release(a);
	usdt_provider_free(p);
}

TEST(libusdt_refuses)
{
	const char *types[13] = { "int", "int", "int", "int", "int", "int", "int",
				  "int", "int", "int", "int", "int", "int" };
	CHECK_FAILS(!usdt_create_provider("a\"", "m"), EINVAL, "provider");
	CHECK_FAILS(!usdt_create_provider("a", NULL), EINVAL, "module");
	CHECK_FAILS(!usdt_create_probe("f", "a b", 0, NULL), EINVAL, "probe");
	CHECK_FAILS(!usdt_create_probe("f", "a", 13, types), E2BIG, "at most 12");
	CHECK_FAILS(!usdt_create_probe("f", "a", 1, NULL), EINVAL, "missing");
	types[1] = "nothing";
	CHECK_FAILS(!usdt_create_probe("f", "a", 2, types), EINVAL, "nothing");
	CHECK_FAILS(usdt_provider_add_probe(NULL, NULL) < 0, EINVAL, "no provider");
	CHECK_FAILS(usdt_provider_remove_probe(NULL, NULL) < 0, EINVAL, "no provider");
	CHECK_FAILS(usdt_provider_enable(NULL) < 0, EINVAL, "no provider");
	CHECK_INT(usdt_is_enabled(NULL), 0);
	usdt_fire_probe(NULL, 0, NULL);
	usdt_probe_release(NULL);
	usdt_provider_free(NULL);
}

/* --- the interface of libstapsdt --- */

TEST(libstapsdt_as_its_users_call_it)
{
	SDTProvider_t *p = providerInit("calls");
	SDTProbe_t *a = providerAddProbe(p, "a", 2, uint64, int32);
	SDTProbe_t *b = providerAddProbe(p, "b", 6, int8, uint8, int16, uint16, uint32, int64);
	CHECK_INT(a->argCount, 2);
	CHECK_INT(a->argFmt[1], int32);
	CHECK_INT(b->argFmt[5], int64);
	CHECK_STR(a->name, "a");
	CHECK(a->provider == p);
	CHECK_INT(probeIsEnabled(a), 0);
	probeFire(a, 1ul, 2);
	for (int round = 0; round < 2; round++) {
		CHECK_INT(providerLoad(p), 0);
		CHECK(p->_memfd >= 0 && p->_handle);
		CHECK_INT(mappings("memfd:calls"), 2);
		CHECK_INT(providerLoad(p), -1);
		CHECK(strstr(p->error, "loaded already"));
		trace(b->_fire, 1);
		CHECK_INT(probeIsEnabled(a), 0);
		CHECK_INT(probeIsEnabled(b), 1);
		probeFire(b, 1, 2, 3, 4, 5, 6l);
		CHECK_INT(providerUnload(p), 0);
		CHECK(!p->error);
		CHECK_INT(probeIsEnabled(b), 0);
		CHECK_INT(mappings("memfd:calls"), 0);
	}
	providerDestroy(p);
}

TEST(libstapsdt_refuses)
{
	CHECK_FAILS(!providerInit("a'b"), EINVAL, "provider");
	CHECK_FAILS(!providerInit(NULL), EINVAL, "needs a name");
	SDTProvider_t *p = providerInit("calls7");
	CHECK(!providerAddProbe(p, "a", 7, uint8, uint8, uint8, uint8, uint8, uint8, uint8));
	CHECK_STR(p->error, "a probe has at most 6 arguments, not 7");
	CHECK(!providerAddProbe(p, "a", -1));
	CHECK(!providerAddProbe(p, "a", 1, 3));
	CHECK_STR(p->error, "argument 0 has an unknown type, 3");
	CHECK(!providerAddProbe(p, "a\"b", 0));
	CHECK(!providerAddProbe(p, NULL, 0));
	CHECK(providerAddProbe(p, "a", 0));
	CHECK(!providerAddProbe(p, "a", 0));
	CHECK(strstr(p->error, "already"));
	CHECK_FAILS(!providerAddProbe(NULL, "a", 0), EINVAL, "no provider");
	CHECK_FAILS(providerLoad(NULL) < 0, EINVAL, "no provider");
	CHECK_FAILS(providerUnload(NULL) < 0, EINVAL, "no provider");
	CHECK_INT(probeIsEnabled(NULL), 0);
	probeFire(NULL);
	providerDestroy(NULL);
	providerDestroy(p);
}

TEST_MAIN
