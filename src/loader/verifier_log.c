/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The verifier's log of a refused program, as a message for the script's author
 *
 * A program is loaded without a log, which would cost time, and loaded again with one after a
 * refusal.
 */
#include <errno.h>

#include "loader/internal.h"

/* The number of the last instruction that the log shows, or -1. */
static long refused_instruction(const char *log)
{
	long last = -1;
	for (const char *line = log; line && *line;) {
		char *end;
		long n = strtol(line, &end, 10);
		if (end != line && end[0] == ':' && end[1] == ' ' && end[2] == '(')
			last = n;
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return last;
}

static const struct line_mark *mark_at(const struct group_code *group, long instruction)
{
	const struct line_mark *found = NULL;
	for (uint32_t i = 0; i < group->line_count; i++)
		if ((long)group->lines[i].instruction <= instruction)
			found = &group->lines[i];
	return instruction < (long)group->count ? found : NULL;
}

/* The sentence before "processed N insns". */
static const char *last_words(const char *log, struct strbuf *out)
{
	const char *end = strstr(log, "\nprocessed ");
	end = end ? end : log + strlen(log);
	const char *begin = end;
	while (begin > log && begin[-1] != '\n')
		begin--;
	strbuf_add(out, begin, (size_t)(end - begin));
	return strbuf_text(out);
}

/* Limits of the verifier (kernel/bpf/verifier.c), which the script can keep and we cannot. */
#define BRANCHES_AT_MOST 8192
#define INSTRUCTIONS_AT_MOST 1000000
static const char branches_limit[] = "it follows at most 8,192 branches in a row";
static const char instructions_limit[] = "it follows at most 1,000,000 instructions";

static const char *limit_met(const char *log)
{
	static const struct {
		const char *words, *meaning;
	} limits[] = {
		{ "jumps is too complex", branches_limit },
		{ "BPF program is too large", instructions_limit },
	};
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		if (strstr(log, limits[i].words))
			return limits[i].meaning;
	return NULL;
}

/*
 * The branches that the verifier leaves for later on its first path: it always continues straight
 * on.  Too many of them are reported at once, because the verifier may need a minute to find them
 * (6.18).
 */
static uint32_t branches_in_a_row(const struct prog_request *r)
{
	uint32_t branches = 0;
	for (uint32_t i = 0; i < r->count; i++) {
		const struct bpf_insn *n = &r->code[i];
		int class = BPF_CLASS(n->code), op = BPF_OP(n->code);
		if ((class != BPF_JMP && class != BPF_JMP32) || op == BPF_CALL)
			continue;
		if (op == BPF_EXIT || (op == BPF_JA && n->off < 0))
			break;
		if (op == BPF_JA)
			i += (uint32_t)n->off;
		else
			branches++;
	}
	return branches;
}

static struct error *too_much(struct error *err, const struct linker *k, const char *whom,
			      const char *meaning)
{
	const struct executor_viewer *viewer = &k->options->viewer;
	if (viewer->too_large)
		viewer->too_large(viewer->arg, k->group->kind, k->group->count);
	return error_wrap(err,
			  "the clauses here are %u instructions, too many for the kernel's %s "
			  "(%s): use fewer or simpler clauses, or several dtrace commands",
			  k->group->count, whom, meaning);
}

static struct error *too_much_to_verify(struct error *err, const struct linker *k,
					const char *limit)
{
	return too_much(err, k, "verifier", limit);
}

static struct error *refusal(struct error *err, const struct linker *k, const char *log)
{
	if (!log[0])
		return err;
	log_debug("the verifier's log:\n%s", log);
	auto_strbuf struct strbuf words = { 0 };
	last_words(log, &words);
	const struct line_mark *mark = mark_at(k->group, refused_instruction(log) - (long)k->head);
	if (!mark || mark->clause == UINT32_MAX)
		return error_wrap(err,
				  "the kernel's verifier refused our code (\"%s\"; this is a bug "
				  "of dtrace: -xdebug shows the log)",
				  strbuf_text(&words));
	return error_wrap(err,
			  "the kernel's verifier refused our code for line %u (clause %u: \"%s\"; "
			  "this is a bug of dtrace: -xdebug shows the log)",
			  mark->line, mark->clause + 1, strbuf_text(&words));
}

/* --- loading ------------------------------------------------------------------------------- */

#define LOG_SIZE (16u << 20)

enum { LOG_INSTRUCTIONS = 1, LOG_EACH_PATH = 2, LOG_LAST_WORDS = 4 };

static uint32_t log_size(const struct linker *k)
{
	return k->options->log_size ? k->options->log_size : LOG_SIZE;
}

/* Loading again with a log costs time only after a refusal. */
static struct error *load_again(struct prog_request *request, char *log, uint32_t size, int level,
				int *ret)
{
	log[0] = '\0';
	request->log = log;
	request->log_size = size;
	request->log_level = (uint32_t)level;
	return prog_load(request, ret);
}

/* A log that is too long is printed up to its limit, and is not a reason not to load. */
static struct error *load_showing_log(struct prog_request *request, const struct linker *k,
				      int *ret)
{
	const struct executor_viewer *viewer = &k->options->viewer;
	auto_free char *log = try_alloc(log_size(k));
	if (!log)
		return error_new("no memory for a log of %u bytes (bpflogsize)", log_size(k));
	struct error *err = load_again(request, log, log_size(k), LOG_EACH_PATH, ret);
	viewer->log(viewer->arg, request->name, log);
	if (err && error_errno(err) == ENOSPC) {
		error_free(err);
		request->log = NULL;
		return prog_load(request, ret);
	}
	return err ? refusal(err, k, log) : NULL;
}

static struct error *load_with_log(struct prog_request *request, const struct linker *k,
				   struct error *first, int *ret)
{
	int code = error_errno(first);
	if (code == E2BIG && request->count > INSTRUCTIONS_AT_MOST)
		return too_much_to_verify(first, k, instructions_limit);
	if (code != EACCES && code != EINVAL && code != E2BIG && code != ENOSPC && code != EFAULT)
		return first;
	auto_free char *log = try_alloc(log_size(k));
	if (!log)
		return first;
	struct error *err = NULL;
	if (code == E2BIG || code == EFAULT) { /* very long: a log of it takes minutes */
		err = load_again(request, log, log_size(k), LOG_LAST_WORDS, ret);
		if (!err) {
			error_free(first);
			return NULL;
		}
		error_free(err);
		const char *limit = limit_met(log);
		if (limit)
			return too_much_to_verify(first, k, limit);
	}
	err = load_again(request, log, log_size(k), LOG_INSTRUCTIONS, ret);
	if (!err) {
		error_free(first);
		return NULL;
	}
	if (error_errno(err) == ENOSPC) { /* the log was too long, which is not the reason */
		error_free(err);
		return refusal(first, k, log);
	}
	error_free(first);
	return refusal(err, k, log);
}

static struct error *load_verified(const struct linker *k, struct prog_request *request, int *ret)
{
	if (branches_in_a_row(request) > BRANCHES_AT_MOST)
		return too_much_to_verify(error_new("cannot load program %s", request->name), k,
					  branches_limit);
	const struct executor_viewer *viewer = &k->options->viewer;
	if (viewer->code)
		viewer->code(viewer->arg, request->name, request->code, request->count);
	if (viewer->log)
		return load_showing_log(request, k, ret);
	struct error *err = prog_load(request, ret);
	return err ? load_with_log(request, k, err, ret) : NULL;
}

struct error *verify_load(const struct linker *k, struct prog_request *request, int *ret)
{
	auto_close int prog = -1;
	struct error *err = load_verified(k, request, &prog);
	if (err)
		return err;
	if (!prog_can_run(prog))
		return too_much(error_new("cannot run program %s", request->name), k,
				"JIT compiler",
				"it made no machine code of them, and the kernel's interpreter may "
				"crash");
	*ret = take_fd(prog);
	return NULL;
}
