/* SPDX-License-Identifier: BSD-2-Clause */
/* The tracks of a timeline: each is described before its first event */
#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "show/names.h"
#include "show/timeline/timeline.h"
#include "show/value.h"

#define COUNTERS_MOST 10000

static struct track *track_new(struct timeline *t, void **place)
{
	struct track *track = *place = mem_zalloc(sizeof(*track));
	track->number = ++t->track_count;
	return track;
}

static void thread_part(struct message *descriptor, const struct track *track)
{
	struct message thread = { 0 };
	message_number(&thread, 1, track->pid);
	message_number(&thread, 2, track->tid);
	message_text(&thread, 5, track->name, strlen(track->name));
	message_part(descriptor, 4, &thread);
	strbuf_deinit(&thread.bytes);
}

static void thread_describe(struct timeline *t, const struct track *track)
{
	struct message descriptor = { 0 };
	message_number(&descriptor, 1, track->number);
	thread_part(&descriptor, track);
	packet_track(t, &descriptor);
	strbuf_deinit(&descriptor.bytes);
}

/* NAME: of THREAD's process; empty: it is the name of the first thread that was seen, or of the
 * thread with its number. */
static void process_describe(struct timeline *t, const struct track *thread, const char *name)
{
	auto_free char *key = mem_printf("process %" PRIu64, thread->pid);
	void **place = hash_place(t->tracks, key, strlen(key));
	struct track *track = *place;
	if (track && !*name && thread->tid != thread->pid)
		return;
	if (!*name)
		name = thread->name;
	if (track && string_equal(track->name, name))
		return;
	if (!track)
		track = track_new(t, place);
	free(track->name);
	track->name = mem_strdup(name);
	struct message descriptor = { 0 }, process = { 0 };
	message_number(&process, 1, thread->pid);
	message_text(&process, 6, name, strlen(name));
	message_number(&descriptor, 1, track->number);
	message_part(&descriptor, 3, &process);
	packet_track(t, &descriptor);
	strbuf_deinit(&descriptor.bytes);
	strbuf_deinit(&process.bytes);
}

static void thread_name(struct timeline *t, struct track *track, const char *name,
			const char *process)
{
	if (track->name && string_equal(track->name, name))
		return;
	free(track->name);
	track->name = mem_strdup(name);
	process_describe(t, track, process);
	thread_describe(t, track);
}

static struct track *thread_find(struct timeline *t, struct json_object *record)
{
	uint64_t pid, tid, cpu = 0;
	if (!value_unsigned(value_member(record, "pid"), &pid) ||
	    !value_unsigned(value_member(record, "tid"), &tid))
		return NULL;
	if (!tid) /* each CPU has a thread of this number */
		value_unsigned(value_member(record, "cpu"), &cpu);
	const struct {
		char kind[8]; /* no other key begins like this */
		uint64_t pid, tid, cpu;
	} key = { "thread", pid, tid, cpu };
	auto_strbuf struct strbuf name = { 0 }, process = { 0 };
	value_text(value_member(record, "thread"), &name);
	struct json_object *of_process = value_member(record, "process");
	if (of_process)
		value_text(of_process, &process);
	void **place = hash_place(t->tracks, &key, sizeof(key));
	struct track *track = *place;
	if (!track) {
		track = track_new(t, place);
		track->pid = pid;
		track->tid = tid ? tid : cpu; /* the viewer needs different ones */
	}
	thread_name(t, track, strbuf_text(&name), strbuf_text(&process));
	return track;
}

/* Found once for each description of a stream; that of thread 0 is of several. */
struct track *track_of_thread(struct timeline *t, struct json_object *record)
{
	struct json_object *thread = names_thread(record);
	struct track *known = json_object_get_userdata(thread);
	if (known)
		return known;
	struct track *found = thread_find(t, record);
	if (thread && member_unsigned(record, "tid"))
		json_object_set_userdata(thread, found, NULL);
	return found;
}

/* CounterDescriptor: unit 3 (1 nanoseconds, 3 bytes), unit_multiplier 4.  UNIT may be NULL. */
static struct message counter_describe(const struct show_unit *unit)
{
	struct message counter = { 0 };
	bool is_size = unit && string_equal(unit->base, "bytes");
	if (unit)
		message_number(&counter, 3, is_size ? 3 : 1);
	if (unit && !is_size)
		message_number(&counter, 4, (uint64_t)(1e9 / unit->parts));
	return counter;
}

/* Neither of a thread nor of a process: KEY makes it unique.  COUNTER may be NULL. */
static struct track *track_named(struct timeline *t, const char *key, const char *name,
				 const struct message *counter)
{
	struct track *track = track_new(t, hash_place(t->tracks, key, strlen(key)));
	struct message descriptor = { 0 };
	message_number(&descriptor, 1, track->number);
	message_text(&descriptor, 2, name, strlen(name));
	if (counter)
		message_text(&descriptor, 8, strbuf_text(&counter->bytes), counter->bytes.len);
	packet_track(t, &descriptor);
	strbuf_deinit(&descriptor.bytes);
	return track;
}

struct track *track_of_ticks(struct timeline *t)
{
	struct track *track = hash_get_string(t->tracks, "ticks");
	return track ? track : track_named(t, "ticks", "ticks", NULL);
}

struct track *track_of_counter(struct timeline *t, const char *name, const struct show_unit *unit)
{
	auto_free char *key = mem_printf("counter %s", name);
	struct track *track = hash_get_string(t->tracks, key);
	if (track || t->counters == COUNTERS_MOST)
		return track;
	t->counters++;
	struct message counter = counter_describe(unit);
	track = track_named(t, key, name, &counter);
	strbuf_deinit(&counter.bytes);
	return track;
}

static void track_free(void *arg, const void *key, size_t key_len, void *value)
{
	struct track *track = value;
	for (size_t i = 0; i < track->open.count; i++)
		free(track->open.items[i]);
	vector_free(&track->open);
	free(track->name);
	free(track);
}

void tracks_free(struct timeline *t)
{
	hash_empty(t->tracks, track_free, NULL);
}
