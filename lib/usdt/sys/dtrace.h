/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs for libusdt include <sys/dtrace.h>, too; they need nothing of it. */
