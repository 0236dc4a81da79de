/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * definition - dtrace -h and dtrace -G: what builds of other programs run
 *
 * Takes the command lines of the classic tool and of SystemTap's dtrace script.  Needs no
 * privileges and asks neither kernel nor types: there is no tracer here, only the options of the
 * preprocessor.
 */
#ifndef CMD_DEFINITION_H
#define CMD_DEFINITION_H

#include "cmd/arguments.h"

/* Write the header or the object that A asks for. */
int definition_make(const struct arguments *a);

#endif
