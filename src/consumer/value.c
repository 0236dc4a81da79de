/* SPDX-License-Identifier: BSD-2-Clause */
/* value - the arithmetic of aggregation values (abi/state.h) */
#include "abi/llquantize.h"
#include "consumer/internal.h"

typedef unsigned __int128 uint128;

static uint128 sum_of_squares(const int64_t *words)
{
	return (uint128)(uint64_t)words[3] << 64 | (uint64_t)words[2];
}

static void set_sum_of_squares(int64_t *words, uint128 sum)
{
	words[2] = (int64_t)(uint64_t)sum;
	words[3] = (int64_t)(uint64_t)(sum >> 64);
}

/* What follows the words that have a meaning is the mark, which is added. */
void words_add(enum aggregate function, int64_t *into, const int64_t *words, uint32_t count)
{
	enum aggregate_merge merge = aggregate_row(function)->merge;
	uint128 squares = 0;
	if (merge == MERGE_SUM_WIDE)
		squares = sum_of_squares(into) + sum_of_squares(words);
	int64_t greatest = (uint64_t)into[0] > (uint64_t)words[0] ? into[0] : words[0];

	for (uint32_t i = 0; i < count; i++)
		into[i] = (int64_t)((uint64_t)into[i] + (uint64_t)words[i]);
	if (merge == MERGE_SUM_WIDE)
		set_sum_of_squares(into, squares);
	if (merge == MERGE_GREATEST)
		into[0] = greatest;
}

void words_subtract(enum aggregate function, int64_t *from, const int64_t *words, uint32_t count)
{
	uint128 squares = 0;
	bool is_wide = aggregate_row(function)->merge == MERGE_SUM_WIDE;
	if (is_wide)
		squares = sum_of_squares(from) - sum_of_squares(words);
	for (uint32_t i = 0; i < count; i++)
		from[i] = (int64_t)((uint64_t)from[i] - (uint64_t)words[i]);
	if (is_wide)
		set_sum_of_squares(from, squares);
}

size_t words_size(const struct aggregation_state *a)
{
	return a->word_count * sizeof(int64_t);
}

size_t part_words(const struct aggregation_state *a)
{
	return a->word_count + (a->parts > 1);
}

size_t parts_size(const struct aggregation_state *a)
{
	return a->parts * part_words(a) * sizeof(int64_t);
}

bool aggregation_of_cpu(const struct aggregation_value *v, unsigned cpu,
			struct aggregation_value *ret)
{
	size_t count = v->layout->value_size / 8;
	*ret = *v;
	ret->words = v->cpu_words + cpu * (count + 1);
	ret->cpu_words = NULL;
	return ret->words[count];
}

/* --- results ---------------------------------------------------------------------------- */

int64_t count_normalized(int64_t value, uint64_t divisor)
{
	if (value >= 0)
		return (int64_t)((uint64_t)value / divisor);
	return (int64_t)(0 - (0 - (uint64_t)value) / divisor);
}

/* The greatest root with root * root <= x. */
static uint64_t square_root(uint128 x)
{
	uint128 root = 0, bit = (uint128)1 << 126;
	while (bit > x)
		bit >>= 2;
	for (; bit; bit >>= 2) {
		if (x >= root + bit) {
			x -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	return (uint64_t)root;
}

static int64_t result_number(const struct aggregation_value *v)
{
	if (aggregate_row(v->layout->function)->is_unsigned)
		return (int64_t)((uint64_t)v->words[0] / v->normal);
	return count_normalized(v->words[0], v->normal);
}

static int64_t result_mean(const struct aggregation_value *v)
{
	const int64_t *words = v->words;
	if (words[0] == 0)
		return 0;
	return count_normalized(count_normalized(words[1], v->normal), (uint64_t)words[0]);
}

/* sqrt(mean of squares - square of mean), in integers throughout */
static int64_t result_deviation(const struct aggregation_value *v)
{
	const int64_t *words = v->words;
	if (words[0] == 0)
		return 0;
	uint128 mean_of_squares =
		sum_of_squares(words) / v->normal / v->normal / (uint64_t)words[0];
	int64_t mean = result_mean(v);
	uint64_t size = mean < 0 ? 0 - (uint64_t)mean : (uint64_t)mean;
	uint128 square_of_mean = (uint128)size * size;
	return mean_of_squares > square_of_mean
		       ? (int64_t)square_root(mean_of_squares - square_of_mean)
		       : 0;
}

int64_t aggregation_result(const struct aggregation_value *v)
{
#define RESULT(value, type, shown) result_##value
	static int64_t (*const results[])(const struct aggregation_value *) = {
#define AGGREGATE(id, name, arguments, words, change, calls, form, merge, zero, result, ...)       \
	RESULT result,
#include "abi/aggregate.def"
#undef AGGREGATE
	};
#undef RESULT
	return results[v->layout->function](v);
}

/* --- histograms --------------------------------------------------------------------------- */

static long double quantize_label(unsigned bucket)
{
	if (bucket == QUANTIZE_ZERO)
		return 0;
	if (bucket > QUANTIZE_ZERO)
		return (long double)((uint64_t)1 << (bucket - QUANTIZE_ZERO - 1));
	return -(long double)((uint64_t)1 << (QUANTIZE_ZERO - 1 - bucket));
}

static int64_t lquantize_label(const struct aggregation_layout *layout, int64_t bucket)
{
	if (bucket == 0)
		return layout->base - 1;
	return layout->base + (bucket - 1) * layout->step + (bucket == layout->levels + 1);
}

/* BOUNDS of the COUNT buckets on a side, and the LIMIT where the last one ends. */
static void weigh_llquantize_one(const uint64_t *bounds, int count, uint64_t limit, struct tuple *t)
{
	const int64_t *centre = t->words + count + 1;
	for (int i = 1; i <= count + 1; i++) {
		long double bound = i <= count ? bounds[i - 1] : limit;
		t->weight += bound * centre[i] - bound * centre[-i];
	}
}

typedef void weigh_fn(const struct aggregation_layout *layout, struct tuple *tuples, size_t count);

static void weigh_quantize(const struct aggregation_layout *layout, struct tuple *tuples,
			   size_t count)
{
	for (size_t n = 0; n < count; n++)
		for (unsigned i = 0; i < QUANTIZE_BUCKETS; i++)
			tuples[n].weight += quantize_label(i) * tuples[n].words[i];
}

static void weigh_lquantize(const struct aggregation_layout *layout, struct tuple *tuples,
			    size_t count)
{
	for (size_t n = 0; n < count; n++)
		for (int64_t i = 0; i <= layout->levels + 1; i++) {
			int64_t label = lquantize_label(layout, i);
			tuples[n].weight += (long double)label * tuples[n].words[i];
		}
}

static void weigh_llquantize(const struct aggregation_layout *layout, struct tuple *tuples,
			     size_t count)
{
	unsigned buckets;
	uint64_t limit;
	auto_free uint64_t *bounds = llquantize_bounds(&layout->ll, &buckets, &limit);
	for (size_t i = 0; i < count; i++)
		weigh_llquantize_one(bounds, (int)buckets, limit, &tuples[i]);
}

/* By the number that is shown. */
static void weigh_none(const struct aggregation_layout *layout, struct tuple *tuples, size_t count)
{
	bool is_unsigned = aggregate_row(layout->function)->is_unsigned;
	for (size_t i = 0; i < count; i++) {
		int64_t number = aggregation_result(&(struct aggregation_value) {
			.layout = layout, .words = tuples[i].words, .normal = 1 });
		tuples[i].weight = is_unsigned ? (long double)(uint64_t)number : number;
	}
}

void tuples_weigh(const struct aggregation_layout *layout, struct tuple *tuples, size_t count)
{
	static weigh_fn *const weigh[] = {
#define AGGREGATE(id, name, arguments, words, change, calls, form, merge, zero, result, buckets,   \
		  ...)                                                                             \
	weigh_##buckets,
#include "abi/aggregate.def"
#undef AGGREGATE
	};
	weigh[layout->function](layout, tuples, count);
}

/* --- order -------------------------------------------------------------------------------- */

static int lquantize_zero(const struct aggregation_layout *layout)
{
	for (int64_t i = 0; i <= layout->levels + 1; i++)
		if (lquantize_label(layout, i) == 0)
			return (int)i;
	return -1;
}

int tuple_tie_at(const struct aggregation_layout *layout)
{
	switch (layout->function) {
	case AGGREGATE_QUANTIZE:
		return QUANTIZE_ZERO;
	case AGGREGATE_LQUANTIZE:
		return lquantize_zero(layout);
	case AGGREGATE_LLQUANTIZE:
		return (int)((aggregation_words(layout) - 1) / 2);
	default:
		return -1;
	}
}

int tuple_values_compare(const struct tuple *a, const struct tuple *b, int tie_at)
{
	long double x = a ? a->weight : 0, y = b ? b->weight : 0;
	if (x != y)
		return x < y ? -1 : 1;
	if (tie_at < 0)
		return 0;
	int64_t tie = a ? a->words[tie_at] : 0, other = b ? b->words[tie_at] : 0;
	return tie < other ? -1 : tie > other;
}

uint64_t tuple_rank(const struct tuple *t)
{
	double weight = (double)(t ? t->weight : 0) + 0.0; /* -0.0 is 0.0 */
	uint64_t bits;
	memcpy(&bits, &weight, sizeof(bits));
	return bits >> 63 ? ~bits : bits | 1ULL << 63;
}
