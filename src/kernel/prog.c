/* SPDX-License-Identifier: BSD-2-Clause */
/* prog - BPF programs: loaded, run once, queried */
#include <errno.h>
#include <string.h>

#include "kernel/kernel.h"
#include "kernel/uapi.h"

/* Our programs call helpers that the kernel gives to GPL-compatible ones only. */
static const char license[] = "Dual BSD/GPL";

static void load_attributes(union bpf_attr *attr, const struct prog_request *request)
{
	attr->prog_type = request->type;
	attr->expected_attach_type = request->attach_type;
	attr->attach_btf_id = request->attach_btf;
	attr->attach_btf_obj_fd = (uint32_t)request->attach_module;
	attr->insns = pointer_number(request->code);
	attr->insn_cnt = request->count;
	attr->license = pointer_number(license);
	attr->prog_flags = request->may_sleep ? BPF_F_SLEEPABLE : 0;
	bpf_name(attr->prog_name, request->name);
	if (request->log && request->log_level) {
		attr->log_buf = pointer_number(request->log);
		attr->log_size = request->log_size;
		attr->log_level = request->log_level;
	}
	attr->prog_btf_fd = (uint32_t)request->btf;
	attr->func_info = pointer_number(request->func_info);
	attr->func_info_cnt = request->func_info_count;
	attr->func_info_rec_size = request->func_info_size;
}

/* The verifier gives up with EAGAIN when a signal waits; libbpf too tries five times. */
static int load_patiently(union bpf_attr *attr)
{
	int fd = -1;
	for (int attempt = 0; attempt < 5; attempt++) {
		fd = bpf_call(BPF_PROG_LOAD, attr, sizeof(*attr));
		if (fd >= 0 || errno != EAGAIN)
			break;
	}
	return fd;
}

struct error *prog_load(const struct prog_request *request, int *ret)
{
	union bpf_attr attr;
	memset(&attr, 0, sizeof(attr));
	load_attributes(&attr, request);
	if (attr.log_buf)
		request->log[0] = 0;

	int fd = load_patiently(&attr);
	if (fd >= 0) {
		*ret = fd;
		return NULL;
	}
	if (errno == ENOSPC && attr.log_buf)
		return error_sys(errno, "cannot load program %s (the log of %u bytes is too small)",
				 request->name, request->log_size);
	if (errno == E2BIG)
		return error_sys(errno, "cannot load program %s (%u instructions)", request->name,
				 request->count);
	return bpf_error(errno, "cannot load program %s", request->name);
}

struct error *btf_load(const void *data, uint32_t size, int *ret)
{
	union bpf_attr attr = { .btf = pointer_number(data), .btf_size = size };
	int fd = bpf_call(BPF_BTF_LOAD, &attr, sizeof(attr));
	if (fd < 0)
		return bpf_error(errno, "cannot load %u bytes of type information", size);
	*ret = fd;
	return NULL;
}

static int btf_by_id(uint32_t id)
{
	union bpf_attr attr = { .btf_id = id };
	return bpf_call(BPF_BTF_GET_FD_BY_ID, &attr, sizeof(attr));
}

/* False at the end. */
static bool btf_next_id(uint32_t *id)
{
	union bpf_attr attr = { .start_id = *id };
	if (bpf_call(BPF_BTF_GET_NEXT_ID, &attr, sizeof(attr)) < 0)
		return false;
	*id = attr.next_id;
	return true;
}

/* Programs' types have no names. */
static bool btf_is_called(int btf, const char *name)
{
	char called[64] = "";
	struct bpf_btf_info info = { .name = pointer_number(called), .name_len = sizeof(called) };
	union bpf_attr attr = {
		.info = {
			.bpf_fd = (uint32_t)btf,
			.info_len = sizeof(info),
			.info = pointer_number(&info),
		},
	};
	return bpf_call(BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)) == 0 && info.kernel_btf &&
	       string_equal(called, name);
}

struct error *btf_of_module(const char *name, int *ret)
{
	for (uint32_t id = 0; btf_next_id(&id);) {
		auto_close int btf = btf_by_id(id);
		if (btf >= 0 && btf_is_called(btf, name)) {
			*ret = take_fd(btf);
			return NULL;
		}
	}
	return error_new("the kernel has no type data of the module %s", name);
}

struct error *prog_test_run(int prog, const void *context, uint32_t size, int cpu)
{
	union bpf_attr attr = {
		.test = {
			.prog_fd = (uint32_t)prog,
			.ctx_in = pointer_number(context),
			.ctx_size_in = size,
			.flags = cpu >= 0 ? BPF_F_TEST_RUN_ON_CPU : 0,
			.cpu = cpu >= 0 ? (uint32_t)cpu : 0,
		},
	};
	if (bpf_call(BPF_PROG_TEST_RUN, &attr, sizeof(attr)) < 0)
		return bpf_error(errno, "cannot run a program once");
	return NULL;
}

bool prog_info(int prog, struct bpf_prog_info *ret)
{
	*ret = (struct bpf_prog_info) { 0 };
	union bpf_attr attr = {
		.info = {
			.bpf_fd = (uint32_t)prog,
			.info_len = sizeof(*ret),
			.info = pointer_number(ret),
		},
	};
	return bpf_call(BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)) == 0;
}

uint64_t prog_missed(int prog)
{
	struct bpf_prog_info info;
	return prog_info(prog, &info) ? info.recursion_misses : 0;
}

/* In the interpreter a call between functions keeps the low 16 bits of its distance. */
#define INTERPRETED_AT_MOST INT16_MAX

bool prog_can_run(int prog)
{
	struct bpf_prog_info info;
	if (!prog_info(prog, &info) || info.jited_prog_len)
		return true;
	uint32_t instructions = info.xlated_prog_len / (uint32_t)sizeof(struct bpf_insn);
	return !kernel_has(FEATURE_JIT) && instructions <= INTERPRETED_AT_MOST;
}
