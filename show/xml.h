/* SPDX-License-Identifier: BSD-2-Clause */
/* xml - text in XML and HTML */
#ifndef SHOW_XML_H
#define SHOW_XML_H

#include <stdio.h>

/*
 * TEXT as content or in an attribute between double quotation marks.  Bytes that are no character
 * of XML 1.0 become U+FFFD.  LIMIT characters at most, SIZE_MAX: all; what is cut ends in "..".
 */
void xml_text(FILE *out, const char *text, size_t limit);
void xml_lines(FILE *out, const char *text, size_t limit); /* newlines and tabs stay */

#endif
