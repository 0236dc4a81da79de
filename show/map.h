/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * map - a histogram as it changes: time from left to right, its buckets from below, and the number
 * of values as colour
 */
#ifndef SHOW_MAP_H
#define SHOW_MAP_H

#include "show/histogram.h"

#define MAP_COLUMNS_MOST 1040 /* a pixel each */

double map_height(const struct histogram *h); /* pixels, from the top of the picture */

/* The picture, in an <svg class="heatmap">; times are those of S. */
void map_write(FILE *out, const struct show *s, const struct histogram *h);

extern const char map_style[];

#endif
