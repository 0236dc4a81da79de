/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hash - a table from byte strings to pointers
 *
 * Keys are copied; values are the caller's.  Open addressing with linear
 * probing; no removal, because no user here removes a name.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash;

struct hash *hash_new(void);
void hash_free(struct hash *h); /* NULL is fine */

/* The place of KEY's value, made (NULL inside) when absent. Valid until the next hash_place(). */
void **hash_place(struct hash *h, const void *key, size_t key_len);

/* The value of KEY, or NULL. */
void *hash_get(const struct hash *h, const void *key, size_t key_len);

void *hash_get_string(const struct hash *h, const char *key);
void hash_put_string(struct hash *h, const char *key, void *value);

/* Visit all entries in no particular order. */
typedef void hash_visit_fn(void *arg, const void *key, size_t key_len, void *value);
void hash_visit(const struct hash *h, hash_visit_fn *visit, void *arg);

/* Forget all keys, after VISIT of each, which may release its value; NULL: nothing is to be. */
void hash_empty(struct hash *h, hash_visit_fn *visit, void *arg);

/* FNV-1a over 64 bits: the hash of the bytes of HASH and LEN bytes after them. */
#define HASH_OF_NOTHING 0xcbf29ce484222325u
uint64_t hash_more(uint64_t hash, const void *data, size_t len);

#endif
