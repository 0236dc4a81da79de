/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * remote_fuzz - an agent may be anyone
 *
 * The input is frames that follow those of a whole run; or changes of such a run, three bytes each:
 * where (two bytes), and what to put there.  What is taken is read by a consumer, as by a dtrace
 * that prints it.
 */
#include <fcntl.h>

#include "output/output.h"
#include "remote/relay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char script[] = "BEGIN { printf(\"%s %d\", \"text\", n++); @[n % 3, \"key\", "
			     "execname] = count(); @q = quantize(n); }\n"
			     "BEGIN { @s[probename, n] = max(n); @m = max(n); @d = stddev(n); "
			     "trunc(@s); clear(@m); printa(@s); }";

static struct relay relay;
static struct strbuf run;
static int nowhere;

static void start(void)
{
	if (!relay_init(&relay, script))
		abort();
	relay_ready(&relay);
	relay_fire(&relay);
	relay_send(&relay);
	strbuf_add(&run, relay.frames.text, relay.frames.len);
	nowhere = open("/dev/null", O_WRONLY);
}

static const struct probe_names *fuzz_names(void *arg, uint32_t id)
{
	const struct remote_probes *p = &((struct relay *)arg)->probes;
	return id && id < p->items.count ? (const struct probe_names *)&p->items.items[id]->names
					 : NULL;
}

static void show(const struct record_source *source, uint32_t cpus)
{
	struct consumer *c;
	struct output *o;
	const struct consumer_setup setup = { .sources = source,
					      .source_count = 1,
					      .cpu_count = cpus,
					      .temporal = true,
					      .names = { .arg = &relay, .probe = fuzz_names } };
	struct error *err = consumer_new(&setup, &c);
	if (err) {
		error_free(err);
		return;
	}
	err = output_new(&(struct output_setup) { .consumer = c,
						  .types = relay.types,
						  .fd = nowhere,
						  .fd_name = "null",
						  .message_fd = nowhere,
						  .is_foreign = true },
			 &o);
	if (!err) {
		error_free(consumer_flush(c, output_record, o));
		consumer_drops(c, 0, output_drop, o);
		error_free(output_end(o, true));
		output_free(o);
	}
	error_free(err);
	consumer_free(c);
}

static void take_all(const char *bytes, size_t size)
{
	relay_asker_deinit(&relay);
	relay_asker_init(&relay);
	error_free(relay_take(&relay, bytes, size));
	if (!remote_program(relay.host))
		return;
	struct record_source source = remote_source(relay.host);
	auto_strbuf struct strbuf changes = { 0 };
	show(&source, remote_facts(relay.host)->cpu_count);
	remote_send_changes(relay.host, &changes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!run.len)
		start();
	auto_strbuf struct strbuf bytes = { 0 };
	strbuf_add(&bytes, run.text, run.len);
	if (size % 3)
		strbuf_add(&bytes, data, size);
	for (size_t i = 0; size % 3 == 0 && i + 3 <= size; i += 3)
		bytes.text[(data[i] | data[i + 1] << 8) % bytes.len] = (char)data[i + 2];
	take_all(bytes.text, bytes.len);
	return 0;
}
