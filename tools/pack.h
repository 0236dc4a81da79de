/* SPDX-License-Identifier: BSD-2-Clause */
/* pack - bytes for struct packed of src/base/archive.h: how many they are unpacked, and their
 * compressed form, as a list of C */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

static void pack(const void *data, size_t size)
{
	uLongf length = compressBound(size);
	unsigned char *packed = malloc(length);
	if (!packed || compress2(packed, &length, data, size, Z_BEST_COMPRESSION) != Z_OK)
		exit(1);
	printf("%zu,", size);
	for (size_t i = 0; i < length; i++)
		printf("%s%u%s", i % 32 ? "" : "\n", packed[i], i + 1 < length ? "," : "");
	free(packed);
}
