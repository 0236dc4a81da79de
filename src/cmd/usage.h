/* SPDX-License-Identifier: BSD-2-Clause */
/* usage - output of -V and --help, and of a wrong command line */
#ifndef CMD_USAGE_H
#define CMD_USAGE_H

/* To standard error; returns STATUS_USAGE. */
int usage(void);

/* --help, to standard output: the usage, and the options. */
void help(void);

/* -V to standard output; with -v: release, kernel and type data too. */
void version(unsigned verbosity);

#endif
