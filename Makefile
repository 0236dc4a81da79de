# make            build/dtrace
# make check      tests that need no privileges      make check T=syntax: one folder
# make check-trace  the rest (root)                  make check-all: everything
# make B=asan ... the same under the sanitizers; CC=clang works too
# Sources are found by their place: a new file needs no change here.

B ?=
OUT := build$(if $(B),/$(B))
CC ?= gcc
BPF_CC ?= clang
CLANG_FORMAT ?= clang-format-14

CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter \
	-Wno-missing-field-initializers -Werror
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -Isrc -I$(OUT)/gen $(WARN) $(CFLAGS)
LDLIBS := -l:libelf.a -l:libz.a
ifeq ($(B),asan)
CFLAGS := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
LDFLAGS += -fsanitize=address,undefined
endif

# The table of ARCHITECTURE.md: USES_folder := folders
FOLDERS := $(filter-out runtime,$(notdir $(patsubst %/,%,$(wildcard src/*/))))
LAYERS := $(OUT)/gen/layers.mk
-include $(LAYERS)
closure = $(sort $(1) $(foreach d,$(USES_$(1)),$(call closure,$(d))))

sources = $(wildcard src/$(1)/*.c)
objects = $(patsubst src/%.c,$(OUT)/obj/%.o,$(call sources,$(1)))
LIB_FOLDERS := $(filter-out cmd,$(FOLDERS))
LIB_OBJECTS := $(foreach f,$(LIB_FOLDERS),$(call objects,$(f)))

.DEFAULT_GOAL := all
.PHONY: all check clean layers format
all: $(OUT)/dtrace

$(LAYERS): ARCHITECTURE.md
	@mkdir -p $(@D)
	@sed -n 's/^| `\([a-z]*\)\/` |[^|]*|\([^|]*\)|.*/USES_\1 :=\2/p' $< > $@

$(OUT)/libdtrace.a: $(LIB_OBJECTS)
	@rm -f $@
	@ar rcs $@ $^

$(OUT)/dtrace: $(call objects,cmd) $(OUT)/libdtrace.a
	@echo LINK $@
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(OUT)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	@echo CC $<
	@$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# --- the run-time library: BPF objects, taken apart and embedded ---
RUNTIME_OBJECTS := $(patsubst src/runtime/%.c,$(OUT)/gen/%.bpf.o,$(wildcard src/runtime/*.c))
BPF_CFLAGS := -target bpf -O2 -g -mcpu=v3 -Isrc -I/usr/include/$(shell gcc -print-multiarch) \
	-Wall -Wextra -Wno-unused-parameter -Wno-unused-const-variable -Werror

$(OUT)/gen/%.bpf.o: src/runtime/%.c $(wildcard src/runtime/*.h src/abi/*.h)
	@mkdir -p $(@D)
	@echo BPF $<
	@$(BPF_CC) $(BPF_CFLAGS) -c -o $@ $<

$(OUT)/embed-runtime: tools/embed-runtime.c $(call objects,object) $(call objects,base)
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(OUT)/gen/runtime_object.inc: $(OUT)/embed-runtime $(RUNTIME_OBJECTS)
	@$(OUT)/embed-runtime $(RUNTIME_OBJECTS) > $@.tmp && mv $@.tmp $@

$(OUT)/obj/loader/runtime.o: $(OUT)/gen/runtime_object.inc

# --- unit tests: tests/unit/FOLDER/SUBJECT_test.c, linked with FOLDER and what it may use ---
T ?= *
UNIT_SOURCES := $(wildcard tests/unit/$(T)/*_test.c)
UNIT_TESTS := $(patsubst tests/unit/%.c,$(OUT)/unit/%,$(UNIT_SOURCES))
unit_folder = $(firstword $(subst /, ,$(1)))

define unit_rule
$(OUT)/unit/$(1): tests/unit/$(1).c tests/unit/test.h \
		$(foreach f,$(call closure,$(call unit_folder,$(1))),$(call objects,$(f)))
	@mkdir -p $$(@D)
	@echo TEST $(1)
	@$(CC) $(ALL_CFLAGS) -Itests/unit $(LDFLAGS) -o $$@ $$(filter %.c %.o,$$^) $(LDLIBS)
endef
$(foreach t,$(patsubst tests/unit/%.c,%,$(UNIT_SOURCES)),$(eval $(call unit_rule,$(t))))

check: $(UNIT_TESTS)
	@tools/run-tests unit $(OUT) $(UNIT_TESTS)

format:
	@$(CLANG_FORMAT) -i $$(find src tests -name '*.[ch]')

clean:
	rm -rf build

-include $(shell find $(OUT)/obj -name '*.d' 2>/dev/null)
