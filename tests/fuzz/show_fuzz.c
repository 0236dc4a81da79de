/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * show_fuzz - damaged streams are drawn as far as they are whole
 *
 * The input is a stream; a flame graph is made of it, which has all that forms of stacks share.
 */
#include <sys/mman.h>

#include "show/show.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct show s = { 0 };
	static int input = -1;
	static FILE *output;
	if (input < 0) {
		input = memfd_create("input", MFD_CLOEXEC);
		output = fopen("/dev/null", "we");
	}
	if (ftruncate(input, 0) || pwrite(input, data, size, 0) != (ssize_t)size ||
	    lseek(input, 0, SEEK_SET))
		return 0;
	error_free(show_draw(&s, input, output));
	show_deinit(&s);
	return 0;
}
