/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cleanup - release a resource when its scope ends
 *
 * take(p) passes a resource to its new owner, so that the scope's end does not release it.
 */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void cleanup_fclose(FILE **f)
{
	if (*f)
		fclose(*f);
}

#define auto_free __attribute__((cleanup(cleanup_free)))
#define auto_close __attribute__((cleanup(cleanup_close)))
#define auto_fclose __attribute__((cleanup(cleanup_fclose)))

#define take(p)                                                                                    \
	({                                                                                         \
		__typeof__(p) taken_ = (p);                                                        \
		(p) = NULL;                                                                        \
		taken_;                                                                            \
	})

#define take_fd(fd)                                                                                \
	({                                                                                         \
		int taken_ = (fd);                                                                 \
		(fd) = -1;                                                                         \
		taken_;                                                                            \
	})

#endif
