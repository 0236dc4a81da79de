/* SPDX-License-Identifier: BSD-2-Clause */
/* The image: its rows, and what they answer in a process */
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>

#include "base/clock.h"
#include "placed.h"

TEST(the_image_is_whole)
{
	struct agent_image image;
	CHECK(!agent_image(&image));
	CHECK(image.size > 16384 && image.size <= PROCESS_CODE_SIZE);
	CHECK_INT(agent_symbol("rt_nothing"), 0);
	auto_free void *bytes = mem_alloc(image.size);
	CHECK(!agent_image_read(bytes));
	struct process_image head;
	memcpy(&head, bytes, sizeof(head));
	CHECK(head.magic == PROCESS_MAGIC && head.id == image.id);
}

/* Rows that any executor can supply are there, but those that translated code has in line. */
TEST(rows)
{
	for (unsigned i = 0; i < RT_COUNT; i++) {
		bool is_in_line = i == RT_cookie || i == RT_next_part;
		uint64_t at = agent_row((enum rt_function)i);
		if (rt_row((enum rt_function)i)->where != WHERE_KERNEL && !at && !is_in_line) {
			printf("no row %s\n", rt_row_name((enum rt_function)i));
			CHECK(at != 0);
		}
		CHECK(!is_in_line || !at);
	}
}

TEST(who_and_when)
{
	struct memory m;
	struct placed p;
	memory_make(&m, 4);
	image_place(&p, &m);
	uint64_t (*pid_tgid)(void) = FUNCTION(&p, "rt_pid_tgid");
	uint64_t (*uid_gid)(void) = FUNCTION(&p, "rt_uid_gid");
	uint64_t (*now)(void) = FUNCTION(&p, "rt_time");
	uint64_t (*vtime)(void) = FUNCTION(&p, "rt_vtime");
	uint64_t (*cpu)(void) = FUNCTION(&p, "rt_cpu");
	uint64_t (*ppid)(void) = FUNCTION(&p, "rt_ppid");
	uint64_t (*progenyof)(uint64_t) = FUNCTION(&p, "rt_progenyof");
	uint64_t (*comm)(void *, uint64_t) = FUNCTION(&p, "rt_comm");
	uint64_t (*random)(void) = FUNCTION(&p, "rt_random");
	for (unsigned with_calls = 0; with_calls < 2; with_calls++) {
		char name[16], wanted[16];
		uint64_t before = clock_ns(CLOCK_MONOTONIC), time = now();
		CHECK(time >= before);
		CHECK(time <= clock_ns(CLOCK_MONOTONIC));
		uint64_t run = clock_ns(CLOCK_THREAD_CPUTIME_ID);
		CHECK(vtime() >= run);
		CHECK_INT(pid_tgid(), (uint64_t)getpid() << 32 | (uint64_t)gettid());
		CHECK_INT(uid_gid(), (uint64_t)getgid() << 32 | getuid());
		CHECK(cpu() < 4096);
		CHECK_INT(ppid(), getppid());
		CHECK(progenyof((uint64_t)getppid()) && !progenyof(0x7ffffff0));
		prctl(PR_GET_NAME, wanted);
		CHECK_INT(comm(name, sizeof(name)), 0);
		CHECK_STR(name, wanted);
		CHECK(random() != random());
		/* the same by system calls: of a program whose C library is not known */
		p.own->thread_number = p.own->clock_gettime = p.own->getcpu = 0;
	}
	image_remove(&p);
	memory_end(&m);
}

/* --- memory of the process -------------------------------------------------------------------- */

static void check_reads(struct placed *p)
{
	long (*read_user)(void *, uint64_t, const void *) = FUNCTION(p, "rt_read_user");
	long (*read_kernel)(void *, uint64_t, const void *) = FUNCTION(p, "rt_read_kernel");
	long (*write_user)(void *, const void *, uint64_t) = FUNCTION(p, "rt_write_user");
	char on_stack[64] = "on the stack", to[64];
	static char in_file[64] = "in the file";
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(pages + 4096, 4096);
	for (unsigned i = 0; i < 2; i++) {
		CHECK_INT(read_user(to, 64, on_stack), 0);
		CHECK_STR(to, on_stack);
		CHECK_INT(read_user(to, 64, in_file), 0);
		CHECK_STR(to, in_file);
	}
	memset(to, 1, sizeof(to));
	CHECK_INT(read_user(to, 16, pages + 4090), -EFAULT);
	CHECK_INT(to[0], 0);
	CHECK_INT(read_user(to, 16, NULL), -EFAULT);
	CHECK_INT(read_user(to, 16, (void *)-4096), -EFAULT);
	CHECK_INT(read_user(to, 8, p->memory), -EFAULT); /* D's own is no user memory */
	CHECK_INT(read_kernel(to, 8, p->memory), 0);
	CHECK_INT(read_kernel(to, 8, on_stack), -EFAULT);
	CHECK_INT(read_kernel(to, 8, p->memory + ((struct process_head *)p->memory)->size - 7),
		  -EFAULT);
	CHECK_INT(write_user(in_file, "changed", 8), 0);
	CHECK_STR(in_file, "changed");
	CHECK_INT(write_user(pages + 4096, "changed", 8), -EFAULT);
	CHECK_INT(write_user(p->memory, "changed", 8), -EFAULT);
	memcpy(in_file, "in the file", 12);
	munmap(pages, 4096);
}

static void check_texts(struct placed *p, struct memory *m)
{
	long (*text_user)(uint64_t, const char *, uint64_t) = FUNCTION(p, "rt_text_user");
	long at = p->slot_claim();
	char on_stack[300];
	CHECK(at >= 0);
	struct slot *slot = (void *)(p->memory + m->layout.head.scratch + at);
	struct rt_string *s = (void *)((char *)slot + 64);
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(pages + 4096, 4096);
	memset(on_stack, 'x', sizeof(on_stack));
	on_stack[100] = 0;
	CHECK_INT(text_user((uint64_t)at + 72, on_stack, 256), 101);
	CHECK_STR(s->text, on_stack);
	memcpy(pages + 4092, "end", 4); /* the last bytes before nothing */
	CHECK_INT(text_user((uint64_t)at + 72, pages + 4092, 256), 4);
	CHECK_STR(s->text, "end");
	CHECK_INT(slot->fault, 0);
	pages[4095] = '!';
	text_user((uint64_t)at + 72, pages + 4092, 256);
	CHECK_INT(slot->fault, FAULT_BADADDR + 1);
	p->slot_release((uint64_t)at);
	munmap(pages, 4096);
}

struct reading_thread {
	struct placed *placed;
	struct memory *memory;
};

static void *read_in_thread(void *arg)
{
	struct reading_thread *t = arg;
	check_reads(t->placed);
	check_texts(t->placed, t->memory);
	struct process_area *area = area_of(t->memory, (unsigned)t->placed->area());
	CHECK(area->stack_high > area->stack_low); /* its stack is known now */
	CHECK_INT(fire(t->placed, 1), 1);
	return NULL;
}

TEST(reads)
{
	struct memory m;
	struct placed p;
	memory_make(&m, 4);
	image_place(&p, &m);
	check_reads(&p);
	check_texts(&p, &m);
	struct reading_thread reading = { &p, &m };
	pthread_t thread;
	CHECK(pthread_create(&thread, NULL, read_in_thread, &reading) == 0);
	pthread_join(thread, NULL);
	p.own->thread_number = p.own->stack_end = 0;
	check_reads(&p);
	check_texts(&p, &m);
	image_remove(&p);
	memory_end(&m);
}

/* A signal stack in the middle of nothing: what is above it is not its stack. */
static struct placed *on_signal_stack;
static char *signal_stack_end;

static void read_above(int signal)
{
	long (*read_user)(void *, uint64_t, const void *) =
		FUNCTION(on_signal_stack, "rt_read_user");
	char to[16];
	CHECK_INT(read_user(to, 16, signal_stack_end + 64), -EFAULT);
	CHECK_INT(read_user(to, 16, signal_stack_end - 8), -EFAULT);
	CHECK_INT(read_user(to, 16, signal_stack_end - 16), 0);
}

static void *signal_in_thread(void *arg)
{
	size_t size = 65536;
	char *pages =
		mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(pages + size, size);
	stack_t stack = { .ss_sp = pages, .ss_size = size }, before;
	sigaltstack(&stack, &before);
	signal_stack_end = pages + size;
	struct sigaction action = { .sa_handler = read_above, .sa_flags = SA_ONSTACK };
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	sigaltstack(&before, NULL);
	munmap(pages, size);
	return NULL;
}

TEST(a_signal_stack)
{
	struct memory m;
	struct placed p;
	pthread_t thread;
	memory_make(&m, 4);
	image_place(&p, &m);
	on_signal_stack = &p;
	signal_in_thread(NULL);
	CHECK(pthread_create(&thread, NULL, signal_in_thread, NULL) == 0);
	pthread_join(thread, NULL);
	image_remove(&p);
	memory_end(&m);
}

/* --- stacks ----------------------------------------------------------------------------------- */

TEST(frames)
{
	struct memory m;
	struct placed p;
	memory_make(&m, 4);
	image_place(&p, &m);
	uint64_t outer[2] = { 0, 0x333333 }, inner[2] = { (uintptr_t)outer, 0x222222 };
	struct user_regs_struct registers = { .rip = 0x111111, .rbp = (uintptr_t)inner };
	long (*ustack)(void *, uint64_t, uint64_t) = FUNCTION(&p, "rt_ustack");
	uint64_t (*ucaller)(void *) = FUNCTION(&p, "rt_ucaller");
	long at = p.slot_claim();
	uint64_t *frames = (void *)(p.memory + m.layout.head.scratch + at + 64);
	CHECK_INT(ustack(&registers, (uint64_t)at + 64, 80), 24);
	CHECK_INT(frames[0], 0x111111);
	CHECK_INT(frames[1], 0x222222);
	CHECK_INT(frames[2], 0x333333);
	CHECK_INT(frames[3], 0);
	CHECK_INT(ustack(&registers, (uint64_t)at + 64, 16), 16);
	CHECK_INT(ucaller(&registers), 0x222222);
	registers.rbp = 1;
	CHECK_INT(ustack(&registers, (uint64_t)at + 64, 80), 8);
	image_remove(&p);
	memory_end(&m);
}

TEST_MAIN
