/*
 * loads LIBRARY... - load each with dlopen() and call its loaded_f() 100 times; a first argument
 * "exec" executes loads again, with the other arguments; "wait" reads a byte of standard input
 * first
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "trigger.h"

static __attribute__((noinline)) int call(int (*function)(int), int x)
{
	asm volatile("");
	return function(x);
}

static int load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	int (*function)(int) = library ? (int (*)(int))dlsym(library, "loaded_f") : NULL;
	int sum = 0;
	if (!function) {
		fprintf(stderr, "%s\n", dlerror());
		return -1;
	}
	for (int i = 0; i < 100; i++)
		sum += call(function, i);
	return sum;
}

int main(int argc, char **argv)
{
	char byte;
	if (argc > 1 && strcmp(argv[1], "exec") == 0) {
		argv[1] = argv[0];
		execv(argv[0], argv + 1);
	}
	int first = argc > 1 && strcmp(argv[1], "wait") == 0 ? 2 : 1;
	if (first == 2 && read(STDIN_FILENO, &byte, 1) < 0)
		return 1;
	for (int i = first; i < argc; i++)
		if (load(argv[i]) < 0)
			return 1;
	return 0;
}
