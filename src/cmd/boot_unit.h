/* SPDX-License-Identifier: BSD-2-Clause */
/* boot_unit - the systemd unit that runs saved programs early at boot */
#ifndef CMD_BOOT_UNIT_H
#define CMD_BOOT_UNIT_H

#include "base/base.h"

#define BOOT_UNIT_NAME "dtrace-anonymous.service"
#define BOOT_UNIT_PATH "/etc/systemd/system/" BOOT_UNIT_NAME

/* Is there a systemd that reads units? */
bool boot_unit_is_possible(void);
/* Write and enable the unit that runs the programs of FILE, an absolute path. */
MUST_CHECK struct error *boot_unit_write(const char *file);
/* *FOUND: there was one. */
MUST_CHECK struct error *boot_unit_remove(bool *found);

#endif
