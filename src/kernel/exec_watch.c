/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exec_watch - the first process that executes a program of a name is stopped there
 *
 * A program at the tracepoint of exec compares the name that the thread has got, and sends itself
 * SIGSTOP, which the kernel obeys before the first instruction of the new program.  It stops one
 * process, and the next one only when it is asked for it: the map's value is the process that was
 * chosen, or 0, and the same once it has its signal.
 */
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "kernel/insn.h"
#include "kernel/kernel.h"

struct exec_watch {
	int map, prog;
	struct link_set links;
};

#define NAME_AT (-16) /* in the program's frame */

static struct error *program_load(int map, const char *name, int *ret)
{
	uint64_t words[2] = { 0 };
	strncpy((char *)words, name, EXEC_NAME_MOST);
	const struct bpf_insn code[] = {
		INSN_COPY(BPF_REG_1, BPF_REG_10),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, NAME_AT),
		INSN_SET(BPF_REG_2, EXEC_NAME_MOST + 1),
		INSN_CALL(BPF_FUNC_get_current_comm),
		INSN(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_3, BPF_REG_10, NAME_AT, 0),
		INSN(BPF_LD | BPF_IMM | BPF_DW, BPF_REG_4, 0, 0, (int32_t)words[0]),
		INSN(0, 0, 0, 0, (int32_t)(words[0] >> 32)),
		INSN(BPF_JMP | BPF_JNE | BPF_X, BPF_REG_3, BPF_REG_4, 15, 0),
		INSN(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_3, BPF_REG_10, NAME_AT + 8, 0),
		INSN(BPF_LD | BPF_IMM | BPF_DW, BPF_REG_4, 0, 0, (int32_t)words[1]),
		INSN(0, 0, 0, 0, (int32_t)(words[1] >> 32)),
		INSN(BPF_JMP | BPF_JNE | BPF_X, BPF_REG_3, BPF_REG_4, 11, 0),
		INSN_CALL(BPF_FUNC_get_current_pid_tgid),
		INSN_COPY(BPF_REG_8, BPF_REG_0),
		INSN(BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_8, 0, 0, 32),
		INSN_MAP(BPF_REG_7, BPF_PSEUDO_MAP_VALUE, map, 0),
		INSN_SET(BPF_REG_0, 0),
		INSN(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_7, BPF_REG_8, 0, BPF_CMPXCHG),
		INSN(BPF_JMP | BPF_JNE | BPF_K, BPF_REG_0, 0, 3, 0),
		INSN_SET(BPF_REG_1, SIGSTOP),
		INSN_CALL(BPF_FUNC_send_signal),
		INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_7, BPF_REG_8, 8, 0),
		INSN_SET(BPF_REG_0, 0),
		INSN_EXIT,
	};
	const struct prog_request request = {
		.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.name = "exec_watch",
		.code = code,
		.count = ARRAY_SIZE(code),
	};
	return prog_load(&request, ret);
}

struct error *exec_watch_new(const char *name, struct exec_watch **ret)
{
	const struct map_request request = {
		.type = BPF_MAP_TYPE_ARRAY,
		.name = "exec_watch",
		.key_size = 4,
		.value_size = 16,
		.max_entries = 1,
	};
	struct exec_watch *w = mem_zalloc(sizeof(*w));
	w->map = w->prog = -1;
	struct error *err = map_create(&request, &w->map);
	if (!err)
		err = program_load(w->map, name, &w->prog);
	if (!err)
		err = link_raw_tracepoint(w->prog, "sched_process_exec", 0, &w->links);
	if (err) {
		exec_watch_free(w);
		return err;
	}
	*ret = w;
	return NULL;
}

int exec_watch_stopped(const struct exec_watch *w)
{
	uint32_t key = 0;
	uint64_t pids[2] = { 0 };
	return map_lookup(w->map, &key, pids) ? (int)pids[1] : 0;
}

struct error *exec_watch_again(struct exec_watch *w)
{
	uint32_t key = 0;
	uint64_t none[2] = { 0 };
	return map_update(w->map, &key, none, 0);
}

void exec_watch_free(struct exec_watch *w)
{
	if (!w)
		return;
	link_set_deinit(&w->links);
	if (w->prog >= 0)
		close(w->prog);
	if (w->map >= 0)
		close(w->map);
	free(w);
}
