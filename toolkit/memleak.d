/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memleak - memory that programs have allocated and not freed, by who allocated it
 *
 * Usage: [-p PID | -c COMMAND | -W NAME] [-f FILE] [-i SECONDS]
 *
 * A table at intervals, and at the end: the functions that called malloc, calloc, realloc, memalign,
 * posix_memalign or aligned_alloc, and how many bytes and pieces of theirs have not been freed since. Only what is
 * allocated while the tool runs counts. A leak is a row that grows in each table. Each allocation of each process
 * that maps the library stops there, also of those that are not shown: name one process, or a copy of the library.
 *
 * Columns:
 *   PID     process number
 *   COMM    name of the program
 *   BYTES   bytes that are not freed
 *   PIECES  how many allocations they are
 *   CALLER  where they were allocated
 *
 * Notes:
 *   -x dynvarsize=SIZE  room for allocations that are not freed yet; what finds none is not counted, and reported
 *
 * See: hotuser, vltop, dtrace-provider-pid
 */
#pragma D option quiet
#pragma D option defaultargs
#pragma D option zdefs
#pragma D option aggsortrev
/* calloc may end by a jump to memset, whose return is not traced.  Allocators neither switch stacks nor unwind them. */
#pragma D option pidret=kernel
#pragma D argument file "-f FILE" "the library that allocates: its name, a pattern, or a path" default "libc"
#pragma D argument interval "-i SECONDS" "time between tables" default 10 from 1 to 86400

inline int is_ours = $target ? target : pid != $pid;

uint64_t size[pid_t, uint64_t], allocator[pid_t, uint64_t];

/* Allocators call each other: only the outermost call counts. */
pid*:$$file:malloc:entry, pid*:$$file:calloc:entry, pid*:$$file:realloc:entry, pid*:$$file:memalign:entry,
pid*:$$file:posix_memalign:entry, pid*:$$file:aligned_alloc:entry
/is_ours && !self->size/
{
	self->size = probefunc == "malloc" ? arg0 : probefunc == "calloc" ? arg0 * arg1 : probefunc == "posix_memalign" ? arg2 : arg1;
	self->caller = ucaller;
	self->function = probefunc;
	self->before = probefunc == "realloc" || probefunc == "posix_memalign" ? arg0 : 0;
}

pid*:$$file:realloc:return
/self->size && self->function == "realloc" && arg1 && self->before && size[pid, self->before]/
{
	@bytes[pid, execname, usym(allocator[pid, self->before])] = sum(-size[pid, self->before]);
	@pieces[pid, execname, usym(allocator[pid, self->before])] = sum(-1);
	size[pid, self->before] = 0;
	allocator[pid, self->before] = 0;
}

pid*:$$file:malloc:return, pid*:$$file:calloc:return, pid*:$$file:realloc:return, pid*:$$file:memalign:return,
pid*:$$file:posix_memalign:return, pid*:$$file:aligned_alloc:return
/self->size && self->function == probefunc/
{
	this->at = probefunc != "posix_memalign" ? arg1 : arg1 ? 0 : *(uintptr_t *)copyin(self->before, sizeof(uintptr_t));
	this->size = this->at ? self->size : 0;
	size[pid, this->at] = this->size;
	allocator[pid, this->at] = this->size ? self->caller : 0;
	@bytes[pid, execname, usym(self->caller)] = sum(this->size);
	@pieces[pid, execname, usym(self->caller)] = sum(this->size != 0);
	self->size = 0;
	self->caller = 0;
	self->function = 0;
	self->before = 0;
}

pid*:$$file:free:entry
/arg0 && size[pid, arg0]/
{
	@bytes[pid, execname, usym(allocator[pid, arg0])] = sum(-size[pid, arg0]);
	@pieces[pid, execname, usym(allocator[pid, arg0])] = sum(-1);
	size[pid, arg0] = 0;
	allocator[pid, arg0] = 0;
}

tick-1s
/++seconds % $interval == 0/
{
	printf("%7s %-16s %12s %9s %s\n", "PID", "COMM", "BYTES", "PIECES", "CALLER");
	printa("%7d %-16s %@12d %@9d %A\n", @bytes, @pieces);
}

END
{
	printf("%7s %-16s %12s %9s %s\n", "PID", "COMM", "BYTES", "PIECES", "CALLER");
	printa("%7d %-16s %@12d %@9d %A\n", @bytes, @pieces);
}
