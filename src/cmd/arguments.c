/* SPDX-License-Identifier: BSD-2-Clause */
#include "cmd/arguments.h"

#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/letter.h"

typedef VECTOR(char *) word_list;

/*
 * Linux hands all that follows the interpreter in a script's first line over as
 * one word: "#!/usr/sbin/dtrace -q -s" gives "-q -s".  Such a word ends in the
 * letter s, whose argument, the script, is the next word; it does not begin with
 * a letter that may hold blanks itself (-n'BEGIN { }').
 */
static bool is_joined(const char *word)
{
	size_t first_len = strcspn(word, " \t");
	const char *last = word + strlen(word);
	while (last > word && last[-1] != ' ' && last[-1] != '\t')
		last--;
	size_t last_len = strlen(last);
	if (last_len && last[last_len - 1] == '\r') /* script_read() reports the error */
		last_len--;
	return word[0] == '-' && last > word && last[0] == '-' && last[last_len - 1] == 's' &&
	       strcspn(word, "nPmfc") >= first_len;
}

static void words_add_split(struct arguments *a, word_list *words, const char *joined)
{
	char *copy = mem_strdup(joined);
	vector_push(&a->owned, copy);
	for (char *save, *p = strtok_r(copy, " \t", &save); p; p = strtok_r(NULL, " \t", &save))
		vector_push(words, p);
}

/* argv under our name, with a joined first word in pieces. */
static void words_collect(struct arguments *a, word_list *words, int argc, char **argv)
{
	char *name = mem_strdup(message_program());
	vector_push(&a->owned, name);
	vector_push(words, name);
	for (int i = 1; i < argc; i++) {
		if (i == 1 && is_joined(argv[1]))
			words_add_split(a, words, argv[1]);
		else
			vector_push(words, argv[i]);
	}
	vector_push(words, NULL);
	vector_push(words, NULL); /* room for tool_order_words() */
}

static bool set_mode(struct arguments *a, char letter)
{
	if (a->mode != MODE_TRACE) {
		fatal("only one of the [-AGhlV] options can be specified at a time");
		return false;
	}
	a->mode = (enum mode)letter;
	return true;
}

static bool set_data_model(struct arguments *a, char letter, const char *rest)
{
	if (!string_equal(rest, letter == '3' ? "2" : "4")) {
		fatal("illegal option -- %c%s", letter, rest);
		return false;
	}
	a->data_model_32 = letter == '3';
	return true;
}

static void add_option(struct arguments *a, char *text)
{
	char *name = mem_strdup(text);
	vector_push(&a->owned, name);
	char *equals = strchr(name, '=');
	if (equals)
		*equals++ = 0;
	vector_push(&a->settings, (struct setting) { 'x', name, equals });
}

static void program_request_add(struct arguments *a, enum program_kind kind, const char *text)
{
	vector_push(&a->programs, (struct program_request) { kind, text });
}

/* One option of the command line; false: it is wrong, the reason was printed. */
static bool take_letter(struct arguments *a, char letter, char *argument)
{
	switch (letter) {
	case '3':
	case '6':
		return set_data_model(a, letter, argument);
	case 'A':
	case 'G':
	case 'h':
	case 'l':
	case 'V':
		return set_mode(a, letter);
	case 'B':
		a->buffered = true;
		vector_push(&a->settings, (struct setting) { 'B', "oformat", "buffered" });
		return true;
	case LETTER_TOP:
		vector_push(&a->settings, (struct setting) { 'x', "oformat", "top" });
		return true;
	case LETTER_CORE:
		if (a->core) {
			fatal("--core is given twice: %s and %s", a->core, argument);
			return false;
		}
		a->core = argument;
		return true;
	case LETTER_AGENT:
		a->is_agent = true;
		return true;
	case LETTER_ON:
	case LETTER_ON_FILE:
		vector_push(&a->fleet,
			    ((struct fleet_request) { letter == LETTER_ON_FILE, argument }));
		return true;
	case 'c':
	case 'p':
	case 'W':
		vector_push(&a->processes, (struct process_request) { letter, argument });
		return true;
	case 'e':
		a->compile_only = true;
		return true;
	case 'f':
		program_request_add(a, PROGRAM_FUNCTION, argument);
		return true;
	case 'i':
		program_request_add(a, PROGRAM_ID, argument);
		return true;
	case 'm':
		program_request_add(a, PROGRAM_MODULE, argument);
		return true;
	case 'n':
		program_request_add(a, PROGRAM_NAME, argument);
		return true;
	case 'P':
		program_request_add(a, PROGRAM_PROVIDER, argument);
		return true;
	case 's':
		program_request_add(a, PROGRAM_SCRIPT, argument);
		return true;
	case 'o':
		a->output = argument;
		return true;
	case 'v':
		a->verbosity++;
		return true;
	case 'x':
		add_option(a, argument);
		return true;
	default:
		vector_push(&a->settings,
			    (struct setting) { letter, letter_option(letter), argument });
		return true;
	}
}

/* Words of SystemTap's dtrace that say nothing to us: keep temporary files, how to parse. */
static bool is_systemtap(const char *word)
{
	static const char *const words[] = { "-k", "--types", "--no-pyparsing" };
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (string_equal(word, words[i]))
			return true;
	return false;
}

/* WORD, as --json or --bufsize=1m, is no option with a letter; one of -x is perhaps meant. */
static void hint_add(const char *word, struct strbuf *ret)
{
	if (strncmp(word, "--", 2) != 0)
		return;
	auto_free char *name = mem_strndup(word + 2, strcspn(word + 2, "="));
	if (string_equal(name, "json"))
		strbuf_puts(ret, " (-x oformat=json prints JSON)");
	else if (option_by_name(name) != OPTION_COUNT)
		strbuf_printf(ret, " (it is an option of -x: -x %s)", word + 2);
}

static bool arguments_take_words(struct arguments *a, int argc, char **argv)
{
	vector_push(&a->words, argv[0]);

	auto_free char *foreign = NULL; /* why it is wrong, unless a file is made */
	letter_begin();
	for (int letter; (letter = letter_next(argc, argv)) != -1;) {
		if (letter == '?' || letter == ':') {
			const char *word = argv[optind - 1];
			auto_free char *why = letter_mistake(letter, argv);
			if (is_systemtap(word)) {
				free(foreign);
				foreign = take(why);
				continue;
			}
			auto_strbuf struct strbuf hint = { 0 };
			if (letter == '?')
				hint_add(word, &hint);
			fatal("%s%s", why, strbuf_text(&hint));
			return false;
		}
		if (letter == LETTER_NONE)
			vector_push(&a->words, optarg);
		else if (!take_letter(a, (char)letter, optarg))
			return false;
		else if (letter == 's')
			argc = optind + (int)tool_order_words(a, optarg, argv + optind,
							      (unsigned)(argc - optind));
	}
	for (int i = optind; i < argc; i++)
		vector_push(&a->words, argv[i]);
	if (foreign && !(a->mode == MODE_HEADER || a->mode == MODE_LINK)) {
		fatal("%s", foreign);
		return false;
	}
	return true;
}

/* Another form of output than that of -B? */
static bool is_other_form(const struct setting *s)
{
	return s->letter == 'x' && string_equal(s->name, "oformat") && s->value &&
	       !string_equal(s->value, "buffered");
}

static bool modes_agree(const struct arguments *a)
{
	if (!a->buffered)
		return true;
	for (size_t i = 0; i < a->settings.count; i++)
		if (is_other_form(&a->settings.items[i])) {
			fatal("-B not valid in combination with -x oformat=%s: it is a form of "
			      "output, too",
			      a->settings.items[i].value);
			return false;
		}
	if (a->mode != MODE_TRACE && a->mode != MODE_VERSION) {
		fatal("-B not valid in combination with [-AGl] options");
		return false;
	}
	if (a->output) {
		fatal("-B not valid in combination with -o option");
		return false;
	}
	return true;
}

/* $0 is the script's name when there is one. */
static void name_script(struct arguments *a)
{
	for (size_t i = 0; i < a->programs.count; i++) {
		if (a->programs.items[i].kind == PROGRAM_SCRIPT) {
			a->words.items[0] = a->programs.items[i].text;
			return;
		}
	}
}

bool arguments_parse(struct arguments *a, int argc, char **argv)
{
	*a = (struct arguments) { 0 };
	/* No letter: -h makes headers. */
	if (argc == 2 && string_equal(argv[1], "--help")) {
		a->mode = MODE_HELP;
		return true;
	}
	if (argc < 2) {
		usage();
		return false;
	}
	word_list words = { 0 };
	words_collect(a, &words, argc, argv);
	bool good = arguments_take_words(a, (int)words.count - 2, words.items);
	vector_free(&words);
	if (!good) {
		message("--help shows all options");
		return false;
	}
	name_script(a);
	return modes_agree(a);
}

void arguments_deinit(struct arguments *a)
{
	for (size_t i = 0; i < a->owned.count; i++)
		free(a->owned.items[i]);
	vector_free(&a->owned);
	vector_free(&a->settings);
	vector_free(&a->processes);
	vector_free(&a->fleet);
	vector_free(&a->programs);
	vector_free(&a->words);
}
