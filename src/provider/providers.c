/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider/provider.h"

const struct provider *const providers[] = {
#define PROVIDER(name, file) &provider_##name,
#include "provider/provider.def"
#undef PROVIDER
	NULL,
};

const char *const later_providers[] = {
#define LATER_PROVIDER(name) #name,
#include "provider/provider.def"
#undef LATER_PROVIDER
	NULL,
};
