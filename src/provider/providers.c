/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/provider.h"

const struct provider *const providers[] = {
#define PROVIDER(name, file) &provider_##name,
#include "provider/provider.def"
#undef PROVIDER
	NULL,
};
