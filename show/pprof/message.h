/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * message - messages of protobuf, field by field
 *
 * nanopb writes tags, lengths and varints.  Its generator is not used: lists of any length need a
 * function for each field with it, too, and building would need Python and protoc.
 */
#ifndef SHOW_PPROF_MESSAGE_H
#define SHOW_PPROF_MESSAGE_H

#include "base/base.h"

/* Each adds a FIELD to M, which may be empty before.  Of a number 0 is the default: not written. */
void message_number(struct strbuf *m, uint32_t field, uint64_t number);
void message_bytes(struct strbuf *m, uint32_t field, const void *data, size_t len);
void message_message(struct strbuf *m, uint32_t field, const struct strbuf *part);
void message_numbers(struct strbuf *m, uint32_t field, const uint64_t *numbers, size_t count);

#endif
