/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * embed-formulas FILE.prov ... - the providers as data, as rows of C
 *
 * FORMULA(name, "the names of its probes, each with a blank after it", is it of processes, bytes of
 * the text (tools/pack.h))
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "syntax/outline.h"
#include "tools/pack.h"

static void print_probes(const char *text)
{
	static const char begin[] = "\n\tprobe ";
	for (const char *p = text; (p = strstr(p, begin));) {
		p += strlen(begin);
		printf("%.*s ", (int)strcspn(p, " ("), p);
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		auto_strbuf struct strbuf text = { 0 };
		const char *slash = strrchr(argv[i], '/'), *base = slash ? slash + 1 : argv[i];
		auto_error struct error *err = file_read(argv[i], SIZE_MAX, &text);
		if (err) {
			fprintf(stderr, "%s\n", error_text(err));
			return 1;
		}
		printf("FORMULA(%.*s, \"", (int)strcspn(base, "."), base);
		print_probes(strbuf_text(&text));
		printf("\", %d, ",
		       outline_has_words(strbuf_text(&text), text.len, "context", "pidclass"));
		pack(strbuf_text(&text), text.len);
		printf(")\n");
	}
	return 0;
}
