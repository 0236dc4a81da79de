/* SPDX-License-Identifier: BSD-2-Clause */
/* sys/sdt.h - static probes under the name that programs include; where SystemTap has none */
#include <dtrace/sdt.h>
