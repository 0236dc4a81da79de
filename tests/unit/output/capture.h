/* SPDX-License-Identifier: BSD-2-Clause */
/* capture - an output whose text and messages a test can read back */
#ifndef TESTS_UNIT_OUTPUT_CAPTURE_H
#define TESTS_UNIT_OUTPUT_CAPTURE_H

#include <sys/mman.h>
#include <unistd.h>

#include "consumer/fake.h"
#include "output/output.h"
#include "test.h"

struct capture {
	struct consumer *consumer;
	struct output *output;
	int fd, message_fd;
	char text[16384];
};

static struct types *capture_types; /* for print() */

static const struct output_ops *capture_form; /* NULL: text */

static inline struct capture capture_new(const struct program *p, void *keyless,
					 struct output_options options)
{
	struct capture c = { .fd = memfd_create("out", 0), .message_fd = memfd_create("err", 0) };
	c.consumer = fake_consumer(p, keyless, true);
	if (!options.stackindent)
		options.stackindent = 14;
	struct output_setup setup = {
		.consumer = c.consumer,
		.types = capture_types,
		.fd = c.fd,
		.fd_name = "<stdout>",
		.message_fd = c.message_fd,
		.options = options,
		.ops = capture_form,
		.verify = true,
	};
	struct error *err = output_new(&setup, &c.output);
	if (err) {
		printf("%s\n", error_text(err));
		error_free(err);
	}
	return c;
}

static inline const char *read_back(struct capture *c, int fd)
{
	error_free(output_flush(c->output));
	auto_error struct error *err = output_verify(c->output);
	CHECK_STR(err ? error_text(err) : "", "");
	ssize_t n = pread(fd, c->text, sizeof(c->text) - 1, 0);
	c->text[n > 0 ? n : 0] = '\0';
	if (ftruncate(fd, 0) == 0)
		lseek(fd, 0, SEEK_SET);
	return c->text;
}

/* The output since the last call. */
static inline const char *capture_text(struct capture *c)
{
	return read_back(c, c->fd);
}

static inline const char *capture_messages(struct capture *c)
{
	return read_back(c, c->message_fd);
}

/* Show one record of CPU. */
static inline void capture_record(struct capture *c, int cpu, const void *data, uint32_t size)
{
	auto_free struct record_header *copy = mem_alloc(size);
	memcpy(copy, data, size);
	if (size >= sizeof(*copy))
		copy->cpu = (uint16_t)cpu;
	struct record r;
	record_read(c->consumer, 0, (unsigned)cpu, copy, size, &r);
	struct error *err = output_record(c->output, &r);
	if (err)
		printf("%s\n", error_text(err));
	error_free(err);
}

static inline void capture_free(struct capture *c)
{
	output_free(c->output);
	consumer_free(c->consumer);
	close(c->fd);
	close(c->message_fd);
}

#endif
