/* SPDX-License-Identifier: BSD-2-Clause */
/* code_names_fuzz - any bytes as what programs copied of the code objects of an interpreter */
#include <stdlib.h>
#include <string.h>

#include "symbol/code_names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PLACES_MOST 64

static void look_up(struct code_names *n, uint64_t word)
{
	struct code_place place;
	if (code_names_find(n, word, &place) &&
	    (place.file ? strlen(place.file) : 0) + strlen(place.function) > 12ul * CODE_NAME_MOST)
		__builtin_trap();
	uint64_t same = code_names_same(n, word);
	if (code_names_same(n, word) != same)
		__builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < sizeof(struct code_texts))
		return 0;
	/* Of exactly this size, so that a read behind it is noticed. */
	struct code_texts *texts = malloc(size);
	memcpy(texts, data, size);
	struct code_names *n = code_names_new(texts, size);
	for (uint64_t i = 0; i < PLACES_MOST && i * 8 < size + 16; i++)
		look_up(n, interpreted_word(i * 8, data[(i * 8 + 3) % size]));
	uint64_t word;
	memcpy(&word, data + size - sizeof(word), sizeof(word));
	look_up(n, word);
	code_names_free(n);
	free(texts);
	return 0;
}
