/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * code - the kernel's machine code
 *
 * A program of BPF reads it: /proc/kcore is absent on kernels that are built small, and would show
 * the same bytes.  Reading by a program needs no more than tracing does.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernel/insn.h"
#include "kernel/kernel.h"

#define CHUNK 4096

/* What the program writes to. */
struct window {
	int64_t status; /* of the last read */
	unsigned char bytes[CHUNK];
};

struct kernel_code {
	int map, prog;
	struct window *window;
};

#define WINDOW(dst, map, at) INSN_MAP(dst, BPF_PSEUDO_MAP_VALUE, map, at)

/* The context is { address, size }. */
static struct error *load_reader(struct kernel_code *k)
{
	const struct bpf_insn code[] = {
		INSN(BPF_LDX | BPF_MEM | BPF_DW, 2, 1, 8, 0),
		INSN(BPF_LDX | BPF_MEM | BPF_DW, 3, 1, 0, 0),
		INSN(BPF_JMP | BPF_JGT | BPF_K, 2, 0, 6, CHUNK),
		WINDOW(1, k->map, offsetof(struct window, bytes)),
		INSN_CALL(BPF_FUNC_probe_read_kernel),
		WINDOW(1, k->map, offsetof(struct window, status)),
		INSN(BPF_STX | BPF_MEM | BPF_DW, 1, 0, 0, 0),
		INSN_SET(0, 0),
		INSN_EXIT,
	};
	const struct prog_request request = {
		.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.name = "dtrace_code",
		.code = code,
		.count = ARRAY_SIZE(code),
	};
	return prog_load(&request, &k->prog);
}

static struct error *make_window(struct kernel_code *k)
{
	const struct map_request request = {
		.type = BPF_MAP_TYPE_ARRAY,
		.name = "dtrace_code",
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(struct window),
		.max_entries = 1,
		.flags = BPF_F_MMAPABLE,
	};
	struct error *err = map_create(&request, &k->map);
	void *window;
	if (!err)
		err = map_memory(k->map, sizeof(struct window), &window);
	if (!err)
		k->window = window;
	return err;
}

struct error *kernel_code_open(struct kernel_code **ret)
{
	struct kernel_code *k = mem_zalloc(sizeof(*k));
	k->map = k->prog = -1;
	struct error *err = make_window(k);
	if (!err)
		err = load_reader(k);
	if (err) {
		kernel_code_close(k);
		return error_wrap(err, "cannot read the kernel's code");
	}
	*ret = k;
	return NULL;
}

void kernel_code_close(struct kernel_code *k)
{
	if (!k)
		return;
	if (k->window)
		munmap(k->window, sizeof(*k->window));
	if (k->prog >= 0)
		close(k->prog);
	if (k->map >= 0)
		close(k->map);
	free(k);
}

/* At most CHUNK bytes. */
static bool code_read_chunk(struct kernel_code *k, uint64_t address, void *ret, size_t size)
{
	const uint64_t context[] = { address, size };
	k->window->status = -1;
	struct error *err = prog_test_run(k->prog, context, sizeof(context), -1);
	if (err)
		log_debug("%s", error_text(err));
	error_free(err);
	if (k->window->status)
		return false;
	memcpy(ret, k->window->bytes, size);
	return true;
}

bool kernel_code_read(struct kernel_code *k, uint64_t address, void *ret, size_t size)
{
	for (size_t done = 0; done < size;) {
		size_t now = MIN(size - done, CHUNK);
		if (!code_read_chunk(k, address + done, (char *)ret + done, now))
			return false;
		done += now;
	}
	return true;
}
