/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Numbers and addresses as text, and text as numbers */
#include "runtime/string/digits.h"
#include "runtime/string/scan.h"

/* At most 64 digits, truncated to strsize characters. */
long rt_lltostr(uint64_t at, int64_t value, uint64_t base)
{
	struct rt_string *s = scratch(at);
	if (!s)
		return 0;
	s->tag = 0;
	uint64_t is_unsigned = base == (uint64_t)LLTOSTR_UNSIGNED;
	base = is_unsigned ? 10 : base;
	if (base < 2 || base > 36)
		return fault(at, FAULT_ILLOP, 0);
	uint64_t blur = unknown_zero(&s->tag);
	struct to_text t = { .base = base + blur };
	uint64_t negative = base == 10 && value < 0 && !is_unsigned;
	t.rest = (negative ? -(uint64_t)value : (uint64_t)value) + blur;
	uint64_t start = put_digits(&t);
	if (!start)
		return 0;
	char *text = t.text + start;
	if (negative)
		*--text = '-';
	if (base == 8 && value)
		*--text = '0';
	if (base == 16) {
		*--text = 'x';
		*--text = '0';
	}
	uint64_t len = fitting(at, t.text + sizeof(t.text) - text);
	port_copy(s->text, len, text);
	string_end(s, len);
	return 0;
}

struct digits {
	const char *text;
	uint64_t at, end;
	uint64_t base;
	uint64_t value;
};

/* The value of a character as a digit; 36 or more: not a digit. */
static always_inline uint64_t number_digit(uint64_t c)
{
	uint64_t digit = c - '0';
	if (digit < 10)
		return digit;
	uint64_t letter = (c | 0x20) - 'a';
	return letter < 26 ? letter + 10 : 36;
}

static always_inline uint64_t byte_at(const struct rt_string *s, uint64_t at)
{
	return (unsigned char)s->text[at_most(at, NUMBER(rt_string_size))];
}

static long add_digit(uint32_t i, struct digits *d)
{
	uint64_t at = d->at + i;
	OPAQUE(at);
	if (at >= d->end || at >= NUMBER(rt_string_size))
		return 1;
	uint64_t digit = number_digit((unsigned char)d->text[at]);
	if (digit >= d->base)
		return 1;
	d->value = d->value * d->base + digit;
	return 0;
}

static always_inline uint64_t number_skip_blanks(const struct rt_string *s, uint64_t blur)
{
	struct scan blanks = { .text = s->text, .blur = blur };
	blanks.set[0] = (uint64_t)1 << ' ' | (uint64_t)0x1f << '\t'; /* \t \n \v \f \r */
	return scan_forward(&blanks, 0, string_length(s), 0);
}

static always_inline uint64_t read_digits(const struct rt_string *s, uint64_t start, uint64_t base,
					  uint64_t blur)
{
	uint64_t len = string_length(s);
	struct digits d = { .text = s->text, .value = blur };
	d.at = start + blur;
	d.end = len + blur;
	d.base = base + blur;
	port_loop(len, add_digit, &d, 0);
	return d.value;
}

/* At most strsize characters.  Too large a number keeps its low 64 bits. */
long rt_strtoll(uint64_t at, uint64_t base)
{
	const struct rt_string *s = string_at(at);
	struct slot *slot = slot_of(at);
	if (!s || !slot)
		return 0;
	if (base < 2 || base > 36)
		return fault(at, FAULT_ILLOP, 0);
	uint64_t blur = unknown_zero(&slot->unknown);
	uint64_t start = number_skip_blanks(s, blur);
	uint64_t sign = byte_at(s, start);
	if (sign == '-' || sign == '+')
		start++;
	if (base == 16 && byte_at(s, start) == '0' && (byte_at(s, start + 1) | 0x20) == 'x' &&
	    number_digit(byte_at(s, start + 2)) < 16 && start + 2 < string_length(s))
		start += 2;
	uint64_t value = read_digits(s, start, base, blur);
	return sign == '-' ? -value : value;
}

#define ADDRESS_MAX 63 /* an address takes less */

/*
 * Characters are counted even when they no longer fit.  N itself is not looked
 * at: it has to stay an unknown number, or each way to get here is a case apart.
 */
static always_inline uint64_t number_put(struct rt_string *s, uint64_t n, char c)
{
	uint64_t at = n;
	OPAQUE(at);
	at &= ADDRESS_MAX;
	if (at < NUMBER(rt_string_size))
		s->text[at] = c;
	return n + 1;
}

static always_inline void put_end(uint64_t at, struct rt_string *s, uint64_t n)
{
	string_end(s, fitting(at, n));
}

/* The four bytes of WORD, from its low end: at most 15 characters. */
static always_inline uint64_t put_ipv4(struct rt_string *s, uint64_t n, uint64_t word)
{
#pragma clang loop unroll(disable)
	for (unsigned i = 0; i < 4; i++) {
		uint64_t byte = word >> i * 8 & 255;
		if (i)
			n = number_put(s, n, '.');
		if (byte >= 100)
			n = number_put(s, n, '0' + byte / 100);
		if (byte >= 10)
			n = number_put(s, n, '0' + byte / 10 % 10);
		n = number_put(s, n, '0' + byte % 10);
	}
	return n;
}

/* At most 15 characters. */
__attribute__((noinline)) long rt_inet_ntoa(uint64_t at, uint64_t address)
{
	struct rt_string *s = scratch(at);
	if (!s)
		return 0;
	uint64_t n = unknown_zero(&s->tag);
	uint32_t word;
	if (port_read_kernel(&word, sizeof(word), (void *)address) < 0)
		return fault(at, FAULT_BADADDR, address);
	put_end(at, s, put_ipv4(s, n, word));
	return 0;
}

static always_inline char hex_digit(uint64_t x)
{
	return '0' + x + ((9 - x) >> 32 & ('a' - '9' - 1));
}

static always_inline uint64_t put_hex(struct rt_string *s, uint64_t n, uint64_t group)
{
	if (group >> 12)
		n = number_put(s, n, hex_digit(group >> 12));
	if (group >> 8)
		n = number_put(s, n, hex_digit(group >> 8 & 15));
	if (group >> 4)
		n = number_put(s, n, hex_digit(group >> 4 & 15));
	return number_put(s, n, hex_digit(group & 15));
}

/* The I-th group of 16 bits. */
static always_inline uint64_t ipv6_group(uint64_t high, uint64_t low, unsigned i)
{
	uint64_t half = i < 4 ? high : low;
	return half >> (48 - i % 4 * 16) & 0xffff;
}

struct zero_run {
	uint64_t start, length; /* 0: none of two or more */
};

/*
 * The longest run of zero groups.  Bit i of RUNS: a run of LENGTH begins at group i; the runs that
 * remain when LENGTH grows are the longest.
 */
static always_inline struct zero_run longest_run(uint64_t high, uint64_t low, uint64_t blur)
{
	uint64_t zeros = 0;
	for (unsigned i = 0; i < 8; i++) {
		uint64_t below = ipv6_group(high, low, i) - 1;
		zeros |= below >> 63 << i;
	}
	uint64_t runs = zeros & zeros >> 1, longest = 0;
	struct zero_run run = { 0, 0 };
	for (unsigned length = 2; length <= 8 && runs; length++) {
		longest = runs;
		run.length = length;
		runs &= zeros >> length;
	}
	longest += blur;
	run.length += blur;
	while (run.start < 7 && run.length && !(longest >> run.start & 1))
		run.start++;
	return run;
}

struct ipv6_text {
	struct rt_string *s;
	uint64_t n;
	uint64_t high, low;
	struct zero_run run;
};

static long put_group(uint32_t i, struct ipv6_text *t)
{
	uint64_t n = t->n, into = i - t->run.start;
	if (into < t->run.length) {
		if (into == 0)
			n = number_put(t->s, n, ':');
		if (i == 7)
			n = number_put(t->s, n, ':');
	} else {
		if (i)
			n = number_put(t->s, n, ':');
		n = put_hex(t->s, n, ipv6_group(t->high, t->low, i));
	}
	t->n = n;
	return 0;
}

static always_inline uint64_t put_ipv6(struct rt_string *s, uint64_t n, uint64_t high, uint64_t low)
{
	struct ipv6_text t = { .s = s, .n = n, .high = high + n, .low = low + n };
	/* N is still an unknown zero: adding it makes one case of all these runs. */
	t.run = longest_run(high, low, n);
	t.run.start += n;
	port_loop(8, put_group, &t, 0);
	return t.n;
}

/* Of LEN bytes, at most 20. */
struct link_text {
	struct rt_string *s;
	uint64_t n;
	const unsigned char *bytes;
};

static long put_link_byte(uint32_t i, struct link_text *t)
{
	uint64_t n = t->n, at = i;
	OPAQUE(at);
	if (at >= 20)
		return 1;
	uint64_t byte = t->bytes[at];
	if (at)
		n = number_put(t->s, n, ':');
	n = number_put(t->s, n, hex_digit(byte >> 4));
	t->n = number_put(t->s, n, hex_digit(byte & 15));
	return 0;
}

#define HARDWARE_ETHERNET 1 /* include/uapi/linux/if_arp.h */
#define HARDWARE_INFINIBAND 32

/* At most 59 characters. */
long rt_link_ntop(uint64_t at, uint64_t address, uint64_t type)
{
	struct rt_string *s = scratch(at);
	if (!s)
		return 0;
	uint64_t n = unknown_zero(&s->tag);
	if (type != HARDWARE_ETHERNET && type != HARDWARE_INFINIBAND)
		return fault(at, FAULT_ILLOP, 0);
	uint64_t len = type == HARDWARE_ETHERNET ? 6 : 20;
	unsigned char bytes[24] = { 0 };
	if (port_read_kernel(bytes, at_most(len, 20), (void *)address) < 0)
		return fault(at, FAULT_BADADDR, address);
	struct link_text t = { s, n, bytes };
	port_loop(len, put_link_byte, &t, 0);
	put_end(at, s, t.n);
	return 0;
}

/*
 * At most 39 characters.  Addresses that contain one of IPv4 are printed as that one, after their
 * prefix if STRICT.
 */
__attribute__((noinline)) long rt_inet_ntoa6(uint64_t at, uint64_t address, uint64_t strict)
{
	struct rt_string *s = scratch(at);
	if (!s)
		return 0;
	uint64_t n = unknown_zero(&s->tag);
	uint64_t word[2];
	if (port_read_kernel(word, sizeof(word), (void *)address) < 0)
		return fault(at, FAULT_BADADDR, address);
	uint64_t high = __builtin_bswap64(word[0]), low = __builtin_bswap64(word[1]);
	uint64_t before = low >> 32;
	if (high == 0 && (before == 0xffff || (before == 0 && low > 1))) {
		if (strict) {
			n = number_put(s, n, ':');
			n = number_put(s, n, ':');
			if (before) {
				n = put_hex(s, n, before);
				n = number_put(s, n, ':');
			}
		}
		put_end(at, s, put_ipv4(s, n, word[1] >> 32));
		return 0;
	}
	put_end(at, s, put_ipv6(s, n, high, low));
	return 0;
}

#define FAMILY_IPV4 2 /* AF_INET */
#define FAMILY_IPV6 10

long rt_inet_ntop(uint64_t at, uint64_t address, uint64_t family)
{
	if (family == FAMILY_IPV4)
		return rt_inet_ntoa(at, address);
	if (family == FAMILY_IPV6)
		return rt_inet_ntoa6(at, address, 1);
	return fault(at, FAULT_ILLOP, 0);
}
