/* SPDX-License-Identifier: BSD-2-Clause */
/* show_fuzz - damaged streams are drawn as far as they are whole, in each form */
#include <sys/mman.h>

#include "show/show.h"

#define FORM(name) extern const struct form form_##name;
FORMS
#undef FORM

static const struct form *const forms[] = {
#define FORM(name) &form_##name,
	FORMS
#undef FORM
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* WANTED: the aggregation that is to be drawn, NULL: what fits. */
static void draw(const struct form *with, const char *wanted, int input)
{
	static FILE *output;
	struct show s = { .form = with, .wanted = wanted };
	if (!output)
		output = fopen("/dev/null", "we");
	if (lseek(input, 0, SEEK_SET) == 0)
		error_free(show_draw(&s, input, output));
	show_deinit(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int input = -1;
	if (input < 0)
		input = memfd_create("input", MFD_CLOEXEC);
	if (ftruncate(input, 0) || pwrite(input, data, size, 0) != (ssize_t)size)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		draw(forms[i], size % 2 ? "a" : NULL, input);
	return 0;
}
