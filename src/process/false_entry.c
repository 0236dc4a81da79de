/* SPDX-License-Identifier: BSD-2-Clause */
#include "process/process_internal.h"

#include <elf.h>
#include <unistd.h>

#include "arch/arch.h"
#include "process/process.h"

uint64_t false_address(unsigned word)
{
	const struct arch *a = arch_host();
	return word == a->word ? a->never_mapped : a->narrow->never_mapped;
}

/* --- the auxiliary vector: after argc, the arguments and NULL, the environment and NULL ---------
 */

/* Where the words after the next NULL are, from AT on; 0: unreadable. */
static uint64_t after_null(const struct false_entry *f, uint64_t at)
{
	uint64_t value = 1;
	while (value) {
		if (!peek(f->pid, at, f->word, &value))
			return 0;
		at += f->word;
	}
	return at;
}

static uint64_t entry_in_vector(const struct false_entry *f)
{
	uint64_t type = AT_NULL + 1;
	uint64_t at = after_null(f, stack_pointer(f->pid) + f->word);
	at = at ? after_null(f, at) : 0;
	for (; at && peek(f->pid, at, f->word, &type) && type != AT_NULL; at += 2 * f->word)
		if (type == AT_ENTRY)
			return at + f->word;
	return 0;
}

bool false_entry_set(int pid, struct false_entry *ret)
{
	struct false_entry f = { .pid = pid, .word = process_word(pid) };
	f.place = entry_in_vector(&f);
	*ret = f;
	return f.place && peek(pid, f.place, f.word, &ret->value) &&
	       poke(pid, f.place, f.word, false_address(f.word));
}

bool false_entry_pass(const struct false_entry *f)
{
	return poke(f->pid, f->place, f->word, f->value) && set_program_counter(f->pid, f->value);
}

/* --- copies ------------------------------------------------------------------------------------
 */

/* Write the true entry to the words from START to END that have the false one, and count them. */
static size_t false_words_restore(const struct false_entry *f, int memory, uint64_t start,
				  uint64_t end)
{
	uint64_t wanted = false_address(f->word);
	unsigned char block[4096];
	size_t copies = 0;
	ssize_t got;
	for (; start < end; start += (uint64_t)got) {
		got = pread(memory, block, MIN(sizeof(block), end - start), (off_t)start);
		if (got < (ssize_t)f->word)
			break;
		got -= got % f->word;
		struct bytes b = bytes_of(block, (size_t)got);
		for (uint64_t at = start; bytes_left(&b); at += f->word) {
			uint64_t word = f->word == 4 ? bytes_u32(&b) : bytes_u64(&b);
			copies += word == wanted && poke(f->pid, at, f->word, f->value);
		}
	}
	return copies;
}

bool false_entry_clear(const struct false_entry *f, const struct memory_ranges *data)
{
	auto_close int memory = process_open_memory(f->pid);
	uint64_t stack = stack_pointer(f->pid) & -(uint64_t)f->word;
	size_t copies = memory < 0 ? 0 : false_words_restore(f, memory, stack, f->place);
	for (size_t i = 0; memory >= 0 && i < data->count; i++)
		copies += false_words_restore(f, memory, data->items[i].start, data->items[i].end);
	return copies && poke(f->pid, f->place, f->word, f->value);
}
