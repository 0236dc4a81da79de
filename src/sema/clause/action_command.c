/* SPDX-License-Identifier: BSD-2-Clause */
/* action_command - actions that the consumer carries out: system(), freopen(), setopt() ... */
#include "sema/clause/action.h"

/* "" restores the output, "." is reserved for its meaning in freopen() of other systems. */
bool check_freopen(struct sema *s, struct call *c)
{
	const struct node *format = c->args;
	if (format && format->kind == NODE_STRING && !*format->string.text && c->count == 1) {
		c->stmt->action.format = "";
		return true;
	}
	if (!check_printf(s, c))
		return false;
	if (!string_equal(c->stmt->action.format, "."))
		return true;
	diagnose(s->diagnostics, format->range, D_FREOPEN_INVALID,
		 "the file name \".\" is reserved: name a file, or \"\" to return to the first "
		 "output");
	return false;
}

bool check_ftruncate(struct sema *s, struct call *c)
{
	return true;
}

static bool text_argument(struct sema *s, struct call *c, const struct node *n, const char *what)
{
	struct texpr *e = expression_check(s, n);
	if (texpr_is_poison(e))
		return false;
	struct texpr *text = convert_compatible(s, e, intrinsic(s, INTRINSIC_STRING));
	if (!text) {
		diagnose(s->diagnostics, n->range, D_PROTO_ARG,
			 "the %s given to %s() must be a string, not %s", what, c->name,
			 type_text(s, e->type));
		return false;
	}
	call_add_value(c, text);
	return true;
}

bool check_setopt(struct sema *s, struct call *c)
{
	return text_argument(s, c, c->args, "name") &&
	       (c->count == 1 || text_argument(s, c, c->args->next, "value"));
}
