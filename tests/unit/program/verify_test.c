/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs that are broken by hand: program_verify() names the mistake of each */
#include "compile.h"

/* Of the compiled program: tables are constant for all others. */
#define CLAUSE(p) ((struct clause_layout *)&(p)->clauses[0])
#define ACTION(p) ((struct action_layout *)&(p)->clauses[0].actions[0])
#define FIELD(p) ((struct value_field *)&(p)->clauses[0].actions[0].fields[0])
#define AGGREGATION(p) ((struct aggregation_layout *)&(p)->aggregations[0])
#define MAP(p) ((struct map_layout *)&(p)->maps[0])
#define GROUP(p) ((struct group_code *)&(p)->groups[0])
#define LINE(p) ((struct line_mark *)&GROUP(p)->lines[1])
#define ENTRY(p) ((struct probe_entry *)GROUP(p)->probe_table)

static struct bpf_insn *instruction(struct program *p, uint32_t at)
{
	return (struct bpf_insn *)&GROUP(p)->code[at];
}

/* The first relocation of KIND, from the n-th on. */
static struct relocation *relocation(struct program *p, enum relocation_kind kind, unsigned n)
{
	for (uint32_t i = n; i < GROUP(p)->relocation_count; i++)
		if (GROUP(p)->relocations[i].kind == kind)
			return (struct relocation *)&GROUP(p)->relocations[i];
	printf("no relocation of kind %d\n", kind);
	exit(1);
}

/* The first instruction of this code, FROM there on. */
static struct bpf_insn *find(struct program *p, int code)
{
	for (uint32_t i = 0; i < GROUP(p)->count; i++)
		if (instruction(p, i)->code == code)
			return instruction(p, i);
	printf("no instruction of code %#x\n", code);
	exit(1);
}

#define BREAK(name, change)                                                                        \
	static void name(struct program *p)                                                        \
	{                                                                                          \
		change;                                                                            \
	}

static const char one[8] = { 1 };

BREAK(version, p->version++)
BREAK(zeros, p->zeros_size = p->constants_size + 1)
BREAK(no_zeros, p->constants = one)
BREAK(globals, p->globals_size = 4)
BREAK(keyless, p->keyless_size = 8)
BREAK(slot, p->slot_size = 300)
BREAK(waiting, p->suspended_size = 8)
BREAK(strings, p->string_size = 0)
BREAK(cpus, p->cpu_count = 0)
BREAK(areas, p->area_count = 0)
BREAK(epid, CLAUSE(p)->epid = 0)
BREAK(nowhere, CLAUSE(p)->source = NULL)
BREAK(short_record, CLAUSE(p)->fixed_size = 16)
BREAK(odd_record, CLAUSE(p)->fixed_size += 4)
BREAK(thread_in_header, CLAUSE(p)->thread = 8)
BREAK(thread_outside, CLAUSE(p)->thread = CLAUSE(p)->fixed_size - 8)
BREAK(largest, p->largest_record = 8)
BREAK(action, ACTION(p)->kind = ACTION_DEFAULT + 1)
BREAK(flag, ACTION(p)->flag = 64)
BREAK(format, ACTION(p)->format = NULL)
BREAK(aggregations, *(uint32_t *)ACTION(p)->aggregations = 7)
BREAK(field_kind, FIELD(p)->kind = VALUE_MEMORY + 1)
BREAK(field_text, FIELD(p)->kind = VALUE_STRING_CONST)
BREAK(field_outside, FIELD(p)->offset = 1000)
BREAK(field_in_header, FIELD(p)->offset = 8)
BREAK(field_unaligned, FIELD(p)->offset += 2)
BREAK(field_size, FIELD(p)->size = 3)
BREAK(aggregation_name, AGGREGATION(p)->name = NULL)
BREAK(value_size, AGGREGATION(p)->value_size = 4)
BREAK(no_function, AGGREGATION(p)->function = AGGREGATE_LLQUANTIZE + 1)
BREAK(no_steps, AGGREGATION(p)->ll.steps = 0)
BREAK(no_map, AGGREGATION(p)->map = 5)
BREAK(array_map, MAP(p)->kind = MAP_ARRAY_VARIABLE)
BREAK(key_size, MAP(p)->key_size += 8)
BREAK(map_value, MAP(p)->value_size += 8)
BREAK(memory_key, ((struct value_field *)AGGREGATION(p)->keys)->kind = VALUE_MEMORY)
BREAK(shard, AGGREGATION(p)->shard_offset = 100)
BREAK(cpus_of_shard, AGGREGATION(p)->areas_per_shard = 3)
BREAK(keyless_place, AGGREGATION(p)->keyless_offset = 64)
BREAK(generation, AGGREGATION(p)->has_generations = true; AGGREGATION(p)->generation_offset = 800)
BREAK(map_kind, MAP(p)->kind = MAP_ARRAY_VARIABLE + 1)
BREAK(map_name, MAP(p)->name = NULL)
BREAK(map_entries, MAP(p)->max_entries = 0)
BREAK(map_shards, MAP(p)->shards = 0)
BREAK(group_order, GROUP(p)->kind = EVENT_TIMER)
BREAK(group_kind, GROUP(p)->kind = EVENT_COUNT; p->group_count = 1)
BREAK(empty, GROUP(p)->count = 0)
BREAK(error_entry, GROUP(p)->error_entry = 5000)
BREAK(no_error, GROUP(p)->error_entry = 0)
BREAK(jump_out, find(p, BPF_JMP | BPF_JEQ | BPF_K)->off = 3000)
BREAK(jump_into_half, instruction(p, 3)->code = BPF_JMP | BPF_JA; instruction(p, 3)->off = -2)
BREAK(over_the_end, instruction(p, GROUP(p)->count - 1)->code = BPF_ALU64 | BPF_MOV | BPF_K)
BREAK(half, GROUP(p)->count = relocation(p, RELOCATE_MAP, 0)->instruction + 1)
BREAK(unknown_call, relocation(p, RELOCATE_CALL, 0)->kind = RELOCATE_FUNCTION + 1)
BREAK(call_elsewhere, relocation(p, RELOCATE_MAP, 0)->kind = RELOCATE_CALL)
BREAK(address_elsewhere, relocation(p, RELOCATE_CALL, 0)->kind = RELOCATE_CONTROL)
BREAK(function, relocation(p, RELOCATE_CALL, 0)->index = RT_COUNT)
BREAK(strange_map, relocation(p, RELOCATE_MAP, 0)->index = 9)
BREAK(addend, relocation(p, RELOCATE_CONTROL, 0)->addend = 4096)
BREAK(relocation_order, relocation(p, RELOCATE_CALL, 0)->instruction = 0)
BREAK(nobodys_call, GROUP(p)->relocation_count--)
/* The value's address is the control block's, not the aggregation's. */
BREAK(shared_add, relocation(p, RELOCATE_KEYLESS, 0)->kind = RELOCATE_CONTROL)
/* An assignment that fetches nothing. */
BREAK(private_fetch, find(p, BPF_STX | BPF_ATOMIC | BPF_DW)->imm &= ~BPF_FETCH)
BREAK(frame, find(p, BPF_STX | BPF_MEM | BPF_DW)->off = -520)
BREAK(frame_aligned, find(p, BPF_STX | BPF_MEM | BPF_DW)->off = -12)
BREAK(strange_register, instruction(p, 0)->dst_reg = 12)
BREAK(line_order, LINE(p)->instruction = 5000)
BREAK(line_clause, LINE(p)->clause = 9)
BREAK(entry_size, GROUP(p)->table_entry_size = 20)
BREAK(probes, GROUP(p)->event_count = 0)
BREAK(names, ENTRY(p)->names[2] = 1u << 30)
BREAK(resume, ENTRY(p)->resume = 5000)
BREAK(part_number, GROUP(p)->part = 1)
BREAK(part_missing, GROUP(p)->parts = 2)
BREAK(part_to_nowhere, relocation(p, RELOCATE_CONTROL, 0)->kind = RELOCATE_PARTS)

#define RECORD "BEGIN { printf(\"%d\", pid); }"
#define FLAGS "BEGIN { if (pid) trace(1); }"
#define KEYS "syscall:::entry { @a[pid] = count(); }"
#define NO_KEYS "BEGIN { @a = count(); }"
#define FAULTS "BEGIN { y = 0; x = 1 / y; } ERROR { z++; }"

static const struct broken {
	const char *script;
	void (*change)(struct program *p);
	const char *message;
} broken[] = {
	{ RECORD, version, "it is of version" },
	{ RECORD, zeros, "zeros are more than" },
	{ KEYS, no_zeros, "the zeros are none" },
	{ RECORD, globals, "4 bytes of globals are not words" },
	{ RECORD, keyless, "8 bytes of keyless aggregations are not lines" },
	{ RECORD, slot, "slots of 300 bytes" },
	{ RECORD, waiting, "too few for a suspended firing" },
	{ RECORD, strings, "strings have no size" },
	{ RECORD, cpus, "there is no CPU" },
	{ RECORD, areas, "no area that firings add to" },
	{ RECORD, epid, "clause 1 has epid 0" },
	{ RECORD, nowhere, "clause 1 does not say where it is" },
	{ RECORD, short_record, "a record of 16 bytes has not room for its header" },
	{ RECORD, odd_record, "is not made of words" },
	{ RECORD, thread_in_header, "8 is no place of a thread" },
	{ RECORD, thread_outside, "its thread is outside of its record" },
	{ RECORD, largest, "is larger than the largest" },
	{ RECORD, action, "clause 1: an action is of no kind" },
	{ FLAGS, flag, "has flag 64 of 1 words" },
	{ RECORD, format, "printf has no format" },
	{ "BEGIN { @a[1] = count(); printa(@a); }", aggregations, "aggregation that is not there" },
	{ RECORD, field_kind, "a field is of no kind" },
	{ RECORD, field_text, "a constant string has no text" },
	{ RECORD, field_outside, "a field at 1000 of" },
	{ RECORD, field_in_header, "a field at 8 of" },
	{ RECORD, field_unaligned, "is not aligned" },
	{ RECORD, field_size, "a number has 3 bytes" },
	{ KEYS, aggregation_name, "has no name" },
	{ KEYS, value_size, "4 bytes do not hold its value" },
	{ KEYS, no_function, "is of no function" },
	{ "BEGIN { @a = llquantize(1, 10, 0, 6, 20); }", no_steps, "has impossible parameters" },
	{ KEYS, no_map, "aggregation @a: map 5 is not there" },
	{ KEYS, array_map, "is an array's" },
	{ KEYS, key_size, "in a map of" },
	{ KEYS, map_value, "values of 8 bytes in a map of 16" },
	{ KEYS, memory_key, "memory of any size is in a key" },
	{ KEYS, shard, "the shard at 100 is outside of its key" },
	{ KEYS, cpus_of_shard, "3 areas share a shard" },
	{ NO_KEYS, keyless_place, "outside of the keyless aggregations" },
	{ KEYS, generation, "its generation is outside of the globals" },
	{ KEYS, map_kind, "map 0 is of no kind" },
	{ KEYS, map_name, "map 0 has no name" },
	{ KEYS, map_entries, "map 0 has room for nothing" },
	{ KEYS, map_shards, "map 0: a key has no element" },
	{ "BEGIN { x++; } END { x++; }", group_order, "groups are not in order" },
	{ RECORD, group_kind, "a group is of no kind" },
	{ RECORD, empty, "begin has no code" },
	{ FAULTS, error_entry, "the ERROR clauses at 5000 are not there" },
	{ FAULTS, no_error, "there are no ERROR clauses" },
	{ KEYS, jump_out, "which is not an instruction" },
	{ KEYS, jump_into_half, "jumps to 2, which is not an instruction" },
	{ KEYS, over_the_end, "runs over the end of its function" },
	{ KEYS, half, "the last instruction is half of one" },
	{ KEYS, unknown_call, "a relocation is of no kind" },
	{ KEYS, part_number, "a group has part 1 of 1" },
	{ KEYS, part_missing, "the next part of a group is not its" },
	{ KEYS, part_to_nowhere, "no part comes after this one" },
	{ KEYS, call_elsewhere, "a call is not completed at a call" },
	{ KEYS, address_elsewhere, "not completed at a 16-byte load" },
	{ KEYS, function, "is not there" },
	{ KEYS, strange_map, "map 9 is not there" },
	{ KEYS, addend, "4096 bytes into a smaller region" },
	{ KEYS, relocation_order, "calls an unknown function" },
	{ NO_KEYS, relocation_order, "calls an unknown function" },
	{ RECORD, nobodys_call, "calls an unknown function" },
	{ NO_KEYS, shared_add, "changes memory that areas share, and does not fetch" },
	{ "BEGIN { x++; }", private_fetch, "changes memory that areas share, and does not fetch" },
	{ KEYS, frame, "-520 is outside of the frame" },
	{ KEYS, frame_aligned, "-12 in the frame is not aligned" },
	{ KEYS, strange_register, "there is no such register" },
	{ KEYS, line_order, "lines are not in order" },
	{ KEYS, line_clause, "a line is of no clause" },
	{ KEYS, entry_size, "table entries of 20 bytes" },
	{ KEYS, probes, "0 probes and 0 jumps in" },
	{ KEYS, names, "has a name that is not there" },
	{ KEYS, resume, "resumes at 5000, which is missing" },
};

TEST(each_broken_program_is_refused_by_its_own_message)
{
	for (size_t i = 0; i < ARRAY_SIZE(broken); i++) {
		const struct broken *b = &broken[i];
		auto_compiled struct compiled c;
		bool compiled = compile(&c, "broken.d", b->script, &compile_defaults);
		if (!compiled) {
			CHECK_STR(b->script, "a program that compiles");
			continue;
		}
		b->change(&c.program);
		auto_error struct error *err = program_verify(&c.program);
		const char *text = err ? error_text(err) : "nothing";
		if (strstr(text, b->message))
			continue;
		printf("%s: wanted \"%s\", got \"%s\"\n", b->script, b->message, text);
		test_failed_now = true;
	}
}

TEST_MAIN
