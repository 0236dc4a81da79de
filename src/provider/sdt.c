/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdt - the kernel's tracepoints, each with the fields of its formatted record
 *
 * rawtp.c has the same tracepoints with the arguments that the kernel passes, which are mostly
 * pointers to its own structs.  A record has what its authors found worth showing: numbers,
 * and strings in place.  Its layout is in tracefs, and read when a description matches.
 *
 * Arrays of char are strings; of any other array, the argument is a pointer to its first element.
 */
#include <string.h>

#include "base/diagnostic.h"
#include "kernel/kernel.h"
#include "provider/provider.h"
#include "provider/tracefs.h"

/* What hangs on a probe. */
struct record {
	struct probe_args args;
	char *types[EVENT_ARGS + 1], *names[EVENT_ARGS + 1];
};

struct records {
	bool listed;
	VECTOR(struct probe *) probes;
};

static void *records_new(struct probe_db *db)
{
	return mem_zalloc(sizeof(struct records));
}

static void records_free(void *state)
{
	struct records *r = state;
	vector_free(&r->probes);
	free(r);
}

static void record_free(void *data)
{
	struct record *r = data;
	for (unsigned i = 0; r->types[i]; i++) {
		free(r->types[i]);
		free(r->names[i]);
	}
	free(r);
}

/* --- the list ------------------------------------------------------------------------------- */

struct listing {
	struct probe_db *db;
	struct records *records;
};

static void record_list_one(void *arg, const char *group, const char *name)
{
	const struct listing *l = arg;
	struct probe *p = probe_db_add(l->db, &provider_sdt, "sdt", group, "", name);
	vector_push(&l->records->probes, p);
}

/* --- fields ----------------------------------------------------------------------------------- */

static const struct type *field_number_type(const struct types *types, const struct record_field *f)
{
	static const enum type_intrinsic sizes[][2] = {
		{ INTRINSIC_UCHAR, INTRINSIC_SCHAR },
		{ INTRINSIC_USHORT, INTRINSIC_SHORT },
		{ INTRINSIC_UINT, INTRINSIC_INT },
		{ INTRINSIC_ULONG, INTRINSIC_LONG },
	};
	for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++)
		if (f->size == 1u << i)
			return types_intrinsic(types, sizes[i][f->is_signed]);
	return NULL;
}

static bool field_is_text(const struct record_field *f)
{
	return f->kind != FIELD_VALUE && string_equal(f->type, "char");
}

/* The type of a value, or of an array's elements; of an unknown one, numbers or bytes. */
static const struct type *field_type(struct types *types, const struct record_field *f)
{
	const struct type *type = types_parse(types, f->type);
	if (type && type_size(type) && (f->kind != FIELD_VALUE || type_size(type) == f->size))
		return type;
	const struct type *number = f->kind == FIELD_VALUE ? field_number_type(types, f) : NULL;
	return number ? number : types_intrinsic(types, INTRINSIC_UCHAR);
}

/* A struct in the record is read like an array: through its address. */
static bool field_is_address(const struct record_field *f, const struct type *type)
{
	return f->kind != FIELD_VALUE || !type_is_scalar(type) || type_size(type) != f->size;
}

/* The type of the argument that F is. */
static const struct type *argument_type(struct types *types, const struct record_field *f)
{
	const struct type *type = field_type(types, f);
	if (field_is_text(f))
		return types_intrinsic(types, INTRINSIC_STRING);
	return field_is_address(f, type) ? types_pointer(types, type) : type;
}

static char *field_type_text(struct types *types, const struct record_field *f)
{
	auto_strbuf struct strbuf text = { 0 };
	type_print(argument_type(types, f), &text);
	return mem_strdup(strbuf_text(&text));
}

static struct arg_location field_place(struct types *types, const struct record_field *f)
{
	const struct type *type = field_type(types, f);
	struct arg_location ret = { .value = (int32_t)f->offset };
	if (f->kind == FIELD_DATA || f->kind == FIELD_RELATIVE) {
		ret.kind = f->kind == FIELD_DATA ? ARG_RECORD_DATA : ARG_RECORD_RELATIVE;
	} else if (field_is_address(f, type)) {
		ret.kind = ARG_CONTEXT_ADDRESS;
	} else {
		ret.kind = f->offset % f->size ? ARG_UNREADABLE : ARG_CONTEXT;
		ret.size = f->size < 8 ? (uint8_t)f->size : 0;
		ret.is_signed = f->size < 8 && type_is_signed(type);
	}
	return ret;
}

enum record_answer record_field_place(struct probe_db *db, const char *group, const char *name,
				      const char *field, struct arg_location *ret,
				      const struct type **ret_type)
{
	auto_fclose FILE *f = asked_format(db, group, name);
	record_fields fields = { 0 };
	enum record_answer answer = RECORD_NO_FIELD;
	if (!f)
		return RECORD_NO_EVENT;
	record_fields_read(f, &fields);
	for (size_t i = 0; i < fields.count; i++) {
		if (!string_equal(fields.items[i].name, field))
			continue;
		*ret = field_place(probe_db_types(db), &fields.items[i]);
		*ret_type = argument_type(probe_db_types(db), &fields.items[i]);
		answer = RECORD_FIELD;
	}
	record_fields_free(&fields);
	return answer;
}

static void record_describe(struct probe_db *db, struct probe *p)
{
	auto_fclose FILE *f = asked_format(db, p->module, p->name);
	struct types *types = probe_db_types(db);
	record_fields fields = { 0 };
	struct event_args args = { 0 };
	struct record *r = mem_zalloc(sizeof(*r));
	if (f)
		record_fields_read(f, &fields);
	for (size_t i = 0; i < fields.count && i < EVENT_ARGS; i++) {
		args.arg[i] = field_place(types, &fields.items[i]);
		r->types[i] = field_type_text(types, &fields.items[i]);
		r->names[i] = mem_strdup(fields.items[i].name);
	}
	record_fields_free(&fields);
	r->args.types = (const char *const *)r->types;
	r->args.names = (const char *const *)r->names;
	p->args = &r->args;
	p->data = r;
	probe_db_add_event(db, p, EVENT_RECORD, &args)->record =
		(struct event_record) { p->module, p->name };
}

/* --- the provider ----------------------------------------------------------------------------- */

static struct error *sdt_discover(const struct provider *self, struct probe_db *db,
				  const struct probe_desc *desc)
{
	struct records *r = probe_db_state(db, &provider_sdt);
	if (!probe_db_types(db))
		return NULL;
	if (!r->listed) {
		struct listing l = { db, r };
		tracefs_events(record_list_one, &l);
		r->listed = true;
		return NULL; /* the next description that matches one reads its format */
	}
	if (!r->probes.count && string_equal(desc->provider, "sdt"))
		return error_tag(error_new("there are no sdt probes: only root can read tracefs, "
					   "which lists them"),
				 D_PDESC_ZERO);
	for (size_t i = 0; i < r->probes.count; i++) {
		struct probe *p = r->probes.items[i];
		if (!p->events && probe_field_match(desc->name, p->name) &&
		    probe_field_match(desc->module, p->module))
			record_describe(db, p);
	}
	return NULL;
}

const struct provider provider_sdt = {
	.name = "sdt",
	.attributes = { PRIVATE_ISA, PRIVATE_UNKNOWN, PRIVATE_UNKNOWN, PRIVATE_ISA, PRIVATE_ISA },
	.takes_others = true, /* providers/sdt.prov */
	.state_new = records_new,
	.state_free = records_free,
	.discover = sdt_discover,
	.may_mean = tracepoint_may_mean,
	.only_in_full = tracepoint_only_in_full,
	.free_data = record_free,
};
