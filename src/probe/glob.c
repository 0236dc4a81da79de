/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * glob - patterns of probe descriptions
 *
 * Only the last '*' is ever tried again: what an earlier one could take in
 * addition, the last one can take too.  So matching is a loop that needs no
 * stack and no limit.
 */
#include <string.h>

#include "probe/probe.h"

bool glob_is_plain(const char *pattern)
{
	return !strpbrk(pattern, "*?[\\");
}

/* One character of a set; *P moves past it. */
static unsigned char set_member(const char **p)
{
	if (**p == '\\' && (*p)[1])
		(*p)++;
	return (unsigned char)*(*p)++;
}

/* P is after '['.  The text after ']' if C is in the set, else NULL. */
static const char *set_match(const char *p, unsigned char c)
{
	bool negated = *p == '!', found = false;
	if (negated)
		p++;
	while (*p && *p != ']') {
		unsigned char low = set_member(&p), high = low;
		if (p[0] == '-' && p[1] && p[1] != ']') {
			p++;
			high = set_member(&p);
		}
		found |= low <= c && c <= high;
	}
	if (!*p) /* never closed: such a set matches nothing */
		return NULL;
	return found != negated ? p + 1 : NULL;
}

/* The pattern after its first element if that matches C, else NULL. */
static const char *element_match(const char *p, char c)
{
	switch (*p) {
	case 0:
		return NULL;
	case '?':
		return p + 1;
	case '[':
		return set_match(p + 1, (unsigned char)c);
	case '\\':
		if (p[1])
			p++;
		break;
	}
	return *p == c ? p + 1 : NULL;
}

bool glob_match(const char *pattern, const char *text)
{
	const char *p = pattern, *star = NULL, *star_text = NULL;
	while (*text) {
		if (*p == '*') {
			star = ++p;
			star_text = text;
			if (!*star)
				return true;
			continue;
		}
		const char *next = element_match(p, *text);
		if (next) {
			p = next;
			text++;
		} else if (star) {
			p = star;
			text = ++star_text;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

bool probe_field_match(const char *pattern, const char *text)
{
	return !*pattern || glob_match(pattern, text);
}
