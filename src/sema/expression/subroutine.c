/* SPDX-License-Identifier: BSD-2-Clause */
/* subroutine - calls in expressions, checked against the prototypes of builtin.def */
#include "sema/sema_internal.h"

/* --- prototypes --- */

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* "const char *s" without the s, as a type. */
static const struct type *type_of_declaration(struct sema *s, const char *text, size_t len,
					      struct prototype *p)
{
	while (len && text[len - 1] == ' ')
		len--;
	while (len && is_name_char(text[len - 1]))
		len--;
	const char *name = arena_printf(s->arena, "%.*s", (int)len, text);
	const struct type *type = library_type(s, name, false);
	if (type)
		return type;
	p->unknown = name;
	return intrinsic(s, INTRINSIC_POISON);
}

/* "size_t n [, int start]": parameters in brackets may be missing. */
static void prototype_parse_params(struct sema *s, const char *text, struct prototype *p)
{
	bool optional = false;
	while (*text && *text != ')') {
		size_t blanks = strspn(text, " ,[");
		optional |= memchr(text, '[', blanks) != NULL;
		text += blanks;
		size_t len = strcspn(text, ",[])");
		if (len == 0)
			break;
		if (!(len == 4 && strncmp(text, "void", 4) == 0)) {
			assert(p->count < ARRAY_SIZE(p->params));
			p->params[p->count++] = type_of_declaration(s, text, len, p);
			p->required += !optional;
		}
		text += len;
		text += strspn(text, "]");
	}
}

static const struct prototype *subroutine_prototype(struct sema *s, enum subroutine which)
{
	struct prototype *p = &s->prototypes[which];
	if (p->result)
		return p;
	const char *text = subroutine_rows[which].type, *open = strchr(text, '(');
	p->result = type_of_declaration(s, text, (size_t)(open - text), p);
	prototype_parse_params(s, open + 1, p);
	return p;
}

/* --- arguments --- */

static bool type_is_address(const struct type *type)
{
	return type_is_integer(type) && type_size(type) == 8 && !type_is_signed(type);
}

static struct texpr *subroutine_argument_as(struct sema *s, struct texpr *e,
					    const struct type *type)
{
	if (type_is_string_like(type))
		return convert_compatible(s, e, intrinsic(s, INTRINSIC_STRING));
	if (type_is_address(type) && type_is_pointer(e->type))
		return e; /* uintptr_t takes a pointer as well */
	if (e->type->kind == TYPE_STRING && type_is_pointer(type))
		e = memory_string_address(s, e);
	/* void *: addresses of a process are for the copyin family only */
	struct texpr *converted = convert_compatible(s, e, type);
	if (!converted && type_is_pointer(type) && type_is_pointer(e->type))
		return NULL;
	return converted;
}

enum { FAMILY_INET6 = 10, HARDWARE_INFINIBAND = 32 };

/* The bytes of the network address that CALL prints; 0: it prints none, or of an unknown kind. */
static int64_t address_size(const struct texpr *call)
{
	const struct texpr *kind = call->call.args;
	bool is_known = kind && kind->kind == TEXPR_INTEGER;
	switch (call->call.function) {
	case SUBROUTINE_inet_ntoa:
		return 4;
	case SUBROUTINE_inet_ntoa6:
		return 16;
	case SUBROUTINE_inet_ntop:
		return !is_known ? 0 : kind->integer == FAMILY_INET6 ? 16 : 4;
	case SUBROUTINE_link_ntop:
		return !is_known ? 0 : kind->integer == HARDWARE_INFINIBAND ? 20 : 6;
	default:
		return 0;
	}
}

/* For inet_ntoa6(): the type of its address is the kernel's, which need not have one; or bytes. */
static bool is_address6(const struct type *type)
{
	const struct type *target = type_is_pointer(type) ? type_resolve(type->target) : NULL;
	return !target || target->kind == TYPE_VOID || type_size(target) == 1 ||
	       (target->name && string_equal(target->name, "in6_addr"));
}

/* An address in the process, of which CALL prints what is there: copied, as strings are. */
static struct texpr *address_copied(struct sema *s, const struct texpr *call, struct texpr *e)
{
	int64_t size = address_size(call);
	bool is_wrong = call->call.function == SUBROUTINE_inet_ntoa6 && !is_address6(e->type);
	if (!size || is_wrong || !type_is_user_pointer(e->type))
		return e;
	e->next = texpr_integer(s, size, intrinsic(s, INTRINSIC_ULONG), e->range);
	return subroutine_of(s, SUBROUTINE_copyin, e, e->range);
}

static struct texpr *subroutine_argument(struct sema *s, const struct texpr *call,
					 const struct node *n, const struct type *type,
					 unsigned number)
{
	const char *name = subroutine_rows[call->call.function].name;
	struct texpr *e = expression_plain(s, expression_argument(s, n, D_PROTO_ARG), D_OP_DYN);
	if (!type_is_string_like(type))
		e = memory_decay(s, e);
	if (texpr_is_poison(e))
		return e;
	if (type_is_pointer(type))
		e = address_copied(s, call, e);
	struct texpr *converted = !type_is_real(type)	  ? subroutine_argument_as(s, e, type)
				  : type_is_real(e->type) ? real_bits(s, e)
							  : NULL;
	if (converted)
		return converted;
	return mistake(s, n->range, D_PROTO_ARG, "argument %u of %s() must be %s, not %s", number,
		       name, type_is_string_like(type) ? "a string" : type_text(s, type),
		       type_text(s, e->type));
}

/*
 * hex() and dnsname(): bytes of a process are copied first.  Their number is then used twice, so it
 * is evaluated once, after the address.
 */
static struct texpr *bytes_copied(struct sema *s, struct texpr *call)
{
	struct texpr *address = call->call.args, *size = address->next, *first = NULL;
	bool is_ours = type_is_pointer(address->type) && !type_is_user_pointer(address->type);
	if (is_ours)
		return call;
	address->next = NULL;
	if (size->kind != TEXPR_INTEGER) {
		address = value_once(s, address, &first);
		size = value_once(s, size, &first);
	}
	struct texpr *again = texpr_new(s, size->kind, size->type, size->range);
	*again = *size;
	address->next = again;
	struct texpr *bytes = subroutine_of(s, SUBROUTINE_copyin, address, call->range);
	s->effects++;
	bytes->next = size;
	call->call.args = bytes;
	return value_after(s, first, call);
}

static bool alloca_fits(struct sema *s, const struct texpr *size)
{
	if (!s->env->scratch_size || size->kind != TEXPR_INTEGER ||
	    (uint64_t)size->integer <= s->env->scratch_size)
		return true;
	diagnose(s->diagnostics, size->range, D_ALLOCA_SIZE,
		 "alloca() of %lld bytes: a firing has %u (-x scratchsize)",
		 (long long)size->integer, s->env->scratch_size);
	return false;
}

static bool inet_ntoa6_fits(struct sema *s, const struct texpr *address)
{
	const struct texpr *strict = address->next;
	bool is_address = is_address6(address->type);
	if (!is_address)
		diagnose(s->diagnostics, address->range, D_PROTO_ARG,
			 "argument 1 of inet_ntoa6() must be struct in6_addr *, not %s",
			 type_text(s, address->type));
	else if (strict && strict->kind != TEXPR_INTEGER)
		diagnose(s->diagnostics, strict->range, D_PROTO_ARG,
			 "argument 2 of inet_ntoa6() must be an integer constant");
	return is_address && (!strict || strict->kind == TEXPR_INTEGER);
}

/* mutex_type_adaptive() and mutex_type_spin(): decided by the type of their argument. */
static struct texpr *lock_type(struct sema *s, const struct texpr *e)
{
	static const char *const spinning[] = { "spinlock", "raw_spinlock", "qspinlock" };
	const struct type *pointer = type_resolve(e->call.args->type);
	const struct type *lock = pointer->target ? type_resolve(pointer->target) : pointer;
	bool spins = false;
	for (size_t i = 0; i < ARRAY_SIZE(spinning) && lock->name; i++)
		spins |= string_equal(lock->name, spinning[i]);
	bool asked = e->call.function == SUBROUTINE_mutex_type_spin;
	return texpr_integer(s, spins == asked, e->type, e->range);
}

/* What strftime(3) has in every C library, and %f and %N, micro- and nanoseconds. */
#define TIME_CONVERSIONS "aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZfN%"
#define TIME_FORMAT_MOST 128

/* What is wrong with FORMAT; NULL: nothing. */
static const char *time_format_problem(struct sema *s, const char *format)
{
	if (strlen(format) > TIME_FORMAT_MOST)
		return arena_printf(s->arena, "has %d characters at most", TIME_FORMAT_MOST);
	while ((format = strchr(format, '%'))) {
		if (!format[1])
			return "ends with %: a % is written %%";
		if (!strchr(TIME_CONVERSIONS, format[1]))
			return arena_printf(s->arena,
					    "has no conversion %%%c (there are those of "
					    "strftime(3) without flags, and %%f and %%N)",
					    format[1]);
		format += 2;
	}
	return NULL;
}

/* The largest span of time, of those up to a minute, in which FORMAT has one text. */
static int64_t time_unit(const char *format)
{
	int64_t unit = 60000000000;
	while ((format = strchr(format, '%'))) {
		if (format[1] == 'N')
			return 1;
		if (format[1] == 'f')
			unit = 1000;
		else if (unit > 1000 && strchr("cXrsST", format[1]))
			unit = 1000000000;
		format += 2;
	}
	return unit;
}

struct texpr *time_key(struct sema *s, struct texpr *e)
{
	const struct type *type = type_resolve(e->type);
	int64_t unit = type->is_time ? time_unit(type->name) : 1;
	if (unit == 1)
		return e;
	/* rounded down, before 1970, too */
	const struct type *number = intrinsic(s, INTRINSIC_ULONG);
	struct texpr *size = texpr_integer(s, unit, number, e->range);
	struct texpr *past = texpr_integer(s, INT64_MAX / unit * unit, number, e->range);
	e = convert_cast(s, e, number, e->range);
	e = operator_arithmetic(s, OP_ADD, e, past, e->range);
	e = operator_arithmetic(s, OP_DIV, e, size, e->range);
	e = operator_arithmetic(s, OP_MUL, e, texpr_copy(s, size), e->range);
	e = operator_arithmetic(s, OP_SUB, e, texpr_copy(s, past), e->range);
	return convert_cast(s, e, type, e->range);
}

struct texpr *time_check(struct sema *s, struct texpr *e, const struct type *type)
{
	const struct type *now = type_resolve(e->type), *first = type_resolve(type);
	if (!now->is_time || !first->is_time || string_equal(now->name, first->name))
		return e;
	const struct time_format *place = s->time_formats.items;
	while (place->type != first)
		place++;
	const struct source *source = place->range.source;
	bool is_same = source == e->range.source, is_file = source->kind != SOURCE_SPECIFIER;
	return mistake(s, e->range, D_PROTO_ARG,
		       "the format of strftime() is \"%s\" here, but \"%s\" in line %u%s%s: one "
		       "variable, key or ?: has one format",
		       now->name, first->name, place->range.line, is_same ? "" : " of ",
		       is_same	 ? ""
		       : is_file ? source->name
				 : "another program");
}

/* strftime(FORMAT, NS): the number, of a type by which it is printed. */
static struct texpr *time_value(struct sema *s, const struct texpr *call)
{
	const struct texpr *format = call->call.args;
	struct texpr *ns = format->next;
	if (format->kind != TEXPR_STRING || !format->string.text || !*format->string.text)
		return mistake(s, format->range, D_PROTO_ARG,
			       "argument 1 of strftime() must be a string constant such as "
			       "\"%%H:%%M:%%S\"");
	const char *problem = time_format_problem(s, format->string.text);
	if (problem)
		return mistake(s, format->range, D_PROTO_ARG, "the format of strftime() %s",
			       problem);
	struct time_format time = { types_time(s->types, format->string.text), call->range };
	vector_push(&s->time_formats, time);
	return convert_cast(s, ns, time.type, call->range);
}

static struct texpr *call_new(struct sema *s, enum subroutine which, const struct node *n)
{
	const char *name = subroutine_rows[which].name;
	const struct prototype *p = subroutine_prototype(s, which);
	unsigned given = node_count(n->call.args);
	if (given < p->required || given > p->count)
		return mistake(s, n->range, D_PROTO_LEN, "%s() takes %s%u argument%s, not %u: %s",
			       name,
			       p->required == p->count ? ""
			       : given > p->count      ? "at most "
						       : "at least ",
			       given > p->count ? p->count : p->required,
			       (given > p->count ? p->count : p->required) == 1 ? "" : "s", given,
			       subroutine_rows[which].type);
	if (p->unknown) {
		const char *problem = types_kernel_problem(s->types);
		return mistake(s, n->range, D_TYPE_ERR,
			       "%s() needs the type %s, which is not known%s%s", name, p->unknown,
			       problem ? ": " : "", problem ? problem : "");
	}

	struct texpr *e = texpr_new(s, TEXPR_CALL, p->result, n->range);
	e->call.function = which;
	e->call.count = given;
	struct texpr **end = &e->call.args;
	bool bad = false;
	const struct node *arg = n->call.args;
	for (unsigned i = 0; i < given; i++, arg = arg->next) {
		struct texpr *a = subroutine_argument(s, e, arg, p->params[i], i + 1);
		bad |= texpr_is_poison(a);
		*end = a;
		end = &a->next;
	}
	s->effects += subroutine_rows[which].purity != PURITY_PURE;
	if (!bad && which == SUBROUTINE_alloca && !alloca_fits(s, e->call.args))
		bad = true;
	if (!bad && which == SUBROUTINE_inet_ntoa6 && !inet_ntoa6_fits(s, e->call.args))
		bad = true;
	if (!bad && which == SUBROUTINE_fixed && !real_scale_fits(s, e->call.args->next))
		bad = true;
	if (bad)
		return texpr_poison(s, n->range);
	if (which == SUBROUTINE_hex || which == SUBROUTINE_dnsname)
		return bytes_copied(s, e);
	if (which == SUBROUTINE_strftime)
		return time_value(s, e);
	if (which == SUBROUTINE_mutex_type_adaptive || which == SUBROUTINE_mutex_type_spin)
		return lock_type(s, e);
	return e;
}

struct texpr *subroutine_of(struct sema *s, enum subroutine which, struct texpr *args,
			    struct range range)
{
	const struct prototype *p = subroutine_prototype(s, which);
	struct texpr *e = texpr_new(s, TEXPR_CALL, p->result, range);
	e->call.function = which;
	struct texpr **end = &e->call.args;
	for (struct texpr *next; args; args = next) {
		next = args->next;
		args->next = NULL;
		*end = subroutine_argument_as(s, args, p->params[e->call.count++]);
		assert(*end);
		end = &(*end)->next;
	}
	return e;
}

/* --- calls --- */

/* A name that may not be called in an expression: why not? */
static struct texpr *wrong_call(struct sema *s, const char *name, const struct node *n)
{
	enum aggregate function;
	enum speculation_verb verb;
	if (action_find(name) || speculation_find(name, &verb) || destructive_is_name(name))
		return mistake(s, n->range, D_CG_EXPR,
			       "%s() is an action: it must be a whole statement", name);
	if (aggregator_find(name, &function))
		return mistake(s, n->range, D_CG_EXPR,
			       "%s() is an aggregating function: assign it to an aggregation",
			       name);
	const char *remedy = foreign_remedy(FOREIGN_FUNCTION, name);
	if (remedy)
		return mistake(s, n->range, D_FUNC_UNDEF, "%s() is not provided: %s", name, remedy);
	enum name_kind kind = name_find(s, name).kind;
	if (kind != NAME_UNKNOWN)
		return mistake(s, n->range, D_FUNC_IDKIND, "%s is not a function%s", name,
			       kind == NAME_EXTERN ? " that D can call: it is the kernel's" : "");
	const char *hint = name_suggestion_function(s, name);
	return mistake(s, n->range, D_FUNC_UNDEF, "the function %s() is unknown%s", name,
		       *hint ? hint : ": d(7) lists those of D");
}

bool subroutine_is_known(const struct node *n)
{
	return action_is_call(n) ||
	       (n->call.callee->kind == NODE_IDENT &&
		subroutine_find(n->call.callee->ident.name) != SUBROUTINE_COUNT);
}

/* May a traced file call WHICH?  It may call functions that only read, as copyin() does. */
static bool is_for_all(struct sema *s, enum subroutine which, struct range range)
{
	return which == SUBROUTINE_copyin || subroutine_rows[which].purity == PURITY_PURE ||
	       unit_may(s, range, "calls of functions that are not pure");
}

bool subroutine_is_of_thread(enum subroutine which)
{
	return which == SUBROUTINE_copyin || which == SUBROUTINE_copyinstr ||
	       which == SUBROUTINE_copyinto || which == SUBROUTINE_list_node ||
	       which == SUBROUTINE_tree_node || which == SUBROUTINE_progenyof ||
	       which == SUBROUTINE_getf || which == SUBROUTINE_mutex_owned ||
	       subroutine_rows[which].purity == PURITY_DESTRUCTIVE;
}

struct texpr *subroutine_call(struct sema *s, const struct node *n)
{
	const struct node *callee = n->call.callee;
	if (callee->kind != NODE_IDENT)
		return mistake(s, n->range, D_FUNC_IDENT, "only a name can be called");
	const char *name = callee->ident.name;
	if (s->formula && string_equal(name, "exists"))
		return s->formula_names->exists(s, n);
	if (string_equal(name, "entry") && name_find(s, name).kind == NAME_UNKNOWN)
		return s->entry_value(s, n);
	if (!version_check_call(s, n))
		return texpr_poison(s, n->range);
	struct texpr *value = action_value(s, n);
	if (value)
		return value;
	enum subroutine which = subroutine_find(name);
	struct name found = which == SUBROUTINE_COUNT ? name_find(s, name) : (struct name) { 0 };
	if (found.kind == NAME_INLINE && found.inlined->is_array)
		return inline_expand(s, name, found.inlined, n->call.args, true, n->range);
	if (which == SUBROUTINE_COUNT || subroutine_rows[which].purity >= PURITY_DESTRUCTIVE)
		return wrong_call(s, name, n);
	/* Whose tree the event is in, is that of who runs, also where a formula is about another.
	 */
	bool is_of_thread = which != SUBROUTINE_progenyof && subroutine_is_of_thread(which);
	if (!is_for_all(s, which, n->range) || (is_of_thread && formula_refuses(s, name, n->range)))
		return texpr_poison(s, n->range);
	stability_use_builtin(s, &subroutine_rows[which], n->range);
	return call_new(s, which, n);
}

struct texpr *subroutine_statement(struct sema *s, const struct node *n)
{
	enum subroutine which = subroutine_find(n->call.callee->ident.name);
	assert(which != SUBROUTINE_COUNT);
	return call_new(s, which, n);
}
