# make              build/dtrace
# make check        all that needs no privileges; make check T=syntax: unit tests of one folder
# make check-trace  whole runs (root)          make check-docs   the examples of docs/ (root)
# make check-all    everything, as CI does
# make demo         see it work (root)         make bench: next to bpftrace (root)
# make install      DESTDIR and PREFIX are honoured; make uninstall: the same files are removed
# make deb          the Debian packages of debian/, in build/deb/
# make format       lay our C out              make layers: folders include only what they may
# make STATIC=1     one file without libraries, in build/static; packaging/oci-image: an image of it
# make B=asan ...   under the sanitizers, in build/asan; B=clang and B=fuzz likewise
# make B=arm64 SYSROOT=...  for aarch64, in build/arm64: SYSROOT has its libraries (multiarch: none)
# make check-arm64  the tests in emulated aarch64 machines (slow); PART=trace/pid: one of them
# make check-vm     whole runs on other kernels, in emulated machines: hours; KERNELS="6.12 6.1-arm64" AREA="fbt io": those
# Sources are found by their place: a new file needs no change here.

B ?= $(if $(STATIC),static)
OUT := build$(if $(B),/$(B))
CC ?= gcc
HOST_CC ?= gcc
BPF_CC ?= clang
CLANG_FORMAT ?= clang-format-14

# CFLAGS, CPPFLAGS and LDFLAGS are the builder's.  WERROR=: warnings of other compilers and flags are no errors.
CFLAGS ?= -O2 -g
WERROR ?= -Werror
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter \
	-Wno-missing-field-initializers $(WERROR)
# Two builds in two folders are identical.
SAME := -ffile-prefix-map=$(CURDIR)=.
# Expanded at each use: CFLAGS are set below.  BUILD_... lets base/base.h hold that against them.
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE $(if $(B),-DBUILD_$(B)) $(if $(SHARED_LIBS),-DLIBDW_LOADED) -Isrc -I$(OUT)/gen $(WARN) $(CPPFLAGS) $(CFLAGS) $(SAME)
# SHARED_LIBS=yes, for packages: the libraries of the system, libdw when it is first needed.  libiberty and nanopb have none.
SHARED_LIBS ?=
library = $(foreach l,$(1),$(if $(SHARED_LIBS),-l$(l),-l:lib$(l).a))
LDLIBS := -l:libiberty.a $(call library,$(if $(SHARED_LIBS),,dw) elf lzma z) $(if $(SHARED_LIBS),,-l:libbz2.a)
ifeq ($(B),asan)
CFLAGS := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
LDFLAGS += -fsanitize=address,undefined
endif
ifeq ($(B),static)
PROGRAM := -static
endif
ifeq ($(B),clang)
CC := clang
endif
ifeq ($(B),fuzz)
CC := clang
CFLAGS := -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined \
	-fno-sanitize-recover=undefined
LDFLAGS += -fsanitize=address,undefined
endif
ifeq ($(B),arm64)
CC := aarch64-linux-gnu-gcc $(if $(SYSROOT),--sysroot=$(SYSROOT))
endif

# A build for another machine runs the tools of one for this machine, in build/.
MACHINE := $(shell $(CC) -dumpmachine | sed 's/-.*//')
CROSS := $(filter-out $(MACHINE),$(shell $(HOST_CC) -dumpmachine | sed 's/-.*//'))
TOOLS := $(if $(CROSS),build,$(OUT))
ifneq ($(CROSS),)
$(if $(B),,$(error building for $(MACHINE) needs a folder of its own: make B=...))
HOST_TOOLS := $(addprefix build/,embed-runtime embed-agent embed-dlib embed-formulas man-pages completion-tables)
$(HOST_TOOLS) &: FORCE
	@$(MAKE) --no-print-directory -s B= CC=$(HOST_CC) $(HOST_TOOLS)
endif

# The table of ARCHITECTURE.md: USES_folder := folders
FOLDERS := $(filter-out runtime runtime/% agent/inside,$(patsubst src/%/,%,$(wildcard src/*/ src/*/*/)))
LAYERS := $(OUT)/gen/layers.mk
-include $(LAYERS)
closure = $(sort $(1) $(foreach d,$(USES_$(1)),$(call closure,$(d))))

sources = $(wildcard src/$(1)/*.c)
objects = $(patsubst src/%.c,$(OUT)/obj/%.o,$(call sources,$(1)))
LIB_FOLDERS := $(filter-out cmd,$(FOLDERS))
LIB_BY_FOLDER := $(foreach f,$(LIB_FOLDERS),$(call objects,$(f)))
FIRST := $(shell grep -v '^\#' tools/start-order)
$(foreach f,$(FIRST),$(if $(wildcard src/$(f).c),,$(error tools/start-order: there is no src/$(f).c)))
FIRST_OBJECTS := $(patsubst %,$(OUT)/obj/%.o,$(FIRST))
LIB_OBJECTS := $(filter $(LIB_BY_FOLDER),$(FIRST_OBJECTS)) $(filter-out $(FIRST_OBJECTS),$(LIB_BY_FOLDER))

.DEFAULT_GOAL := all
.PHONY: all install uninstall check check-unit check-golden check-trace check-arm64 check-vm check-docs check-fuzz check-programs check-all check-compilers check-format \
	check-man man completion usdt-library deb show layers format demo bench triggers units clean FORCE
all: $(OUT)/dtrace usdt-library show

$(LAYERS): ARCHITECTURE.md
	@mkdir -p $(@D)
	@sed -n 's/^| `\([a-z/]*\)\/` |[^|]*|\([^|]*\)|.*/USES_\1 :=\2/p' $< > $@

$(OUT)/libdtrace.a: $(LIB_OBJECTS)
	@rm -f $@
	@ar rcs $@ $^

# Packed, the 8,000 relative relocations of our tables take 2 KB of the file and of a start's memory instead of
# 190 KB (glibc 2.36; ld of Debian 12 packs them for x86_64 only).
ifeq ($(MACHINE),x86_64)
# Constants and code in one segment save the padding between them, some 8 KB.
PACKED := -Wl,-z,pack-relative-relocs,-z,noseparate-code
endif

$(OUT)/dtrace: $(call objects,cmd) $(LIB_OBJECTS) tools/start-order
	@echo LINK $@
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(PROGRAM) $(PACKED) -o $@ $(filter %.o,$^) $(LDLIBS)

# Where time counts: records, stacks, many functions.  The others are optimized for size, an eighth of the file.
FAST := base consumer translate rewalk patch output output/text
SMALL := $(if $(filter -O2,$(CFLAGS)),$(shell echo | $(CC) -Oz -E - >/dev/null 2>&1 && echo -Oz || echo -Os))
$(OUT)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	@echo CC $<
	@$(CC) $(ALL_CFLAGS) $(if $(filter $(FAST),$(patsubst %/,%,$(dir $*))),,$(SMALL)) -MMD -MP -c -o $@ $<

# With SHARED_LIBS=yes, names of libdw's functions mean members of the table of src/object/dwarf/libdw.h.
$(OUT)/gen/libdw_names.inc: src/object/dwarf/libdw.def
	@mkdir -p $(@D)
	@sed -n 's/^LIBDW(\(.*\))/#define \1 libdw.\1_/p' $< > $@

ifneq ($(SHARED_LIBS),)
$(LIB_OBJECTS): | $(OUT)/gen/libdw_names.inc
endif

# --- the run-time library: BPF objects, taken apart and embedded ---
RUNTIME := $(wildcard src/runtime/*.c src/runtime/*/*.c)
RUNTIME_HEADERS := $(wildcard src/runtime/*.h src/runtime/*/*.h src/abi/*)
RUNTIME_OBJECTS := $(patsubst src/runtime/%.c,$(OUT)/gen/runtime/%.bpf.o,$(RUNTIME))
BPF_CFLAGS := -target bpf -O2 -g -mcpu=v3 -Isrc -I/usr/include/$(shell gcc -print-multiarch) \
	-Wall -Wextra -Wno-unused-parameter -Wno-unused-const-variable $(WERROR) $(SAME)

$(OUT)/gen/runtime/%.bpf.o: src/runtime/%.c $(RUNTIME_HEADERS)
	@mkdir -p $(@D)
	@echo BPF $<
	@$(BPF_CC) $(BPF_CFLAGS) -c -o $@ $<

$(OUT)/embed-runtime: tools/embed-runtime.c $(foreach f,$(call closure,object),$(call objects,$(f))) src/abi/rt.def
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter-out %.def,$^) $(LDLIBS)

$(OUT)/gen/runtime_object.inc: $(TOOLS)/embed-runtime $(RUNTIME_OBJECTS)
	@ASAN_OPTIONS=detect_leaks=0 $(TOOLS)/embed-runtime $(RUNTIME_OBJECTS) > $@.tmp && mv $@.tmp $@

$(OUT)/obj/loader/runtime.o: $(OUT)/gen/runtime_object.inc

# --- the agent: the same library and its executor for traced processes, one image without relocations ---
AGENT_OBJECTS := $(patsubst src/agent/inside/%.c,$(OUT)/gen/agent/%.o,$(wildcard src/agent/inside/*.c))
AGENT_CFLAGS := -std=gnu11 -D_GNU_SOURCE -O2 -Isrc $(WARN) -ffreestanding -fPIC -fvisibility=hidden -mgeneral-regs-only \
	-fomit-frame-pointer -fno-stack-protector -fno-asynchronous-unwind-tables $(SAME)
ifneq ($(findstring clang,$(CC)),clang)
AGENT_CFLAGS += -fno-tree-loop-distribute-patterns # else memset() calls itself
endif
ifeq ($(MACHINE),x86_64)
AGENT_CFLAGS += -fcf-protection=none
endif

$(OUT)/gen/agent/%.o: src/agent/inside/%.c
	@mkdir -p $(@D)
	@echo AGENT $<
	@$(CC) $(AGENT_CFLAGS) -MMD -MP -c -o $@ $<

$(OUT)/gen/agent/image: $(AGENT_OBJECTS) src/agent/inside/agent.ld
	@$(CC) -nostdlib -pie -Wl,--build-id=none,--no-dynamic-linker,-z,text,-z,defs,-T,src/agent/inside/agent.ld -o $@ $(AGENT_OBJECTS)

$(OUT)/embed-agent: tools/embed-agent.c tools/pack.h $(call objects,base)
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) -I. $(LDFLAGS) -o $@ $(filter-out %.h,$^) $(LDLIBS)

$(OUT)/gen/agent_image.inc: $(TOOLS)/embed-agent $(OUT)/gen/agent/image
	@ASAN_OPTIONS=detect_leaks=0 $(TOOLS)/embed-agent $(OUT)/gen/agent/image > $@.tmp && mv $@.tmp $@

ifeq ($(MACHINE),x86_64)
$(OUT)/obj/agent/blob.o: $(OUT)/gen/agent_image.inc
endif

# --- the D libraries, embedded with an index of their names ---
$(OUT)/embed-dlib $(OUT)/embed-formulas: $(OUT)/embed-%: tools/embed-%.c tools/pack.h $(OUT)/obj/syntax/outline.o $(call objects,base)
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) -I. $(LDFLAGS) -o $@ $(filter-out %.h,$^) $(call library,z)

# those that differ by machine stand in dlib/MACHINE
DLIB := $(sort $(wildcard dlib/*.d dlib/$(MACHINE)/*.d))

$(OUT)/gen/embedded_dlib.inc: $(TOOLS)/embed-dlib $(DLIB)
	@mkdir -p $(@D)
	@ASAN_OPTIONS=detect_leaks=0 $(TOOLS)/embed-dlib $(DLIB) > $@.tmp && mv $@.tmp $@

$(OUT)/obj/tracer/library/library_files.o: $(OUT)/gen/embedded_dlib.inc

# --- lib/usdt: programs that want to be traced link it, so it uses nothing of src/ ---
USDT_OBJECTS := $(patsubst lib/usdt/%.c,$(OUT)/obj/lib/usdt/%.o,$(wildcard lib/usdt/*.c))
USDT_SONAME := libdtrace-usdt.so.0
USDT_LIBRARIES := $(OUT)/lib/$(USDT_SONAME) $(OUT)/lib/libdtrace-usdt.so $(OUT)/lib/libdtrace-usdt.a
OBJCOPY ?= $(patsubst %gcc,%objcopy,$(filter %-gcc,$(firstword $(CC))))
usdt-library: $(USDT_LIBRARIES)

$(OUT)/obj/lib/%.o: lib/%.c
	@mkdir -p $(@D)
	@echo CC $<
	@$(CC) -std=gnu11 -D_GNU_SOURCE -fPIC -fvisibility=hidden $(WARN) $(CPPFLAGS) $(CFLAGS) $(SAME) -MMD -MP -c -o $@ $<

$(OUT)/lib/$(USDT_SONAME): $(USDT_OBJECTS)
	@mkdir -p $(@D)
	@echo LINK $@
	@$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(USDT_SONAME),-z,nodelete -o $@ $^

$(OUT)/lib/libdtrace-usdt.so: $(OUT)/lib/$(USDT_SONAME)
	@ln -sf $(<F) $@

# One object whose only global names are those of the headers.
$(OUT)/lib/libdtrace-usdt.a: $(USDT_OBJECTS)
	@mkdir -p $(@D)
	@$(CC) -nostdlib -r -o $(@:.a=.o) $^
	@$(or $(OBJCOPY),objcopy) --localize-hidden $(@:.a=.o)
	@rm -f $@
	@ar rcs $@ $(@:.a=.o)

# --- show/: programs that draw what dtrace writes for programs ---
# A form is a file of show/, or a folder, or both; the other files are linked into all.
SHOW_FORMS := $(sort $(patsubst show/%.c,%,$(shell grep -l '^const struct form form' show/*.c)) $(patsubst show/%/,%,$(wildcard show/*/)))
SHOW_SHARED := $(filter-out $(SHOW_FORMS),$(patsubst show/%.c,%,$(wildcard show/*.c)))
SHOW_LIBS := $(call library,json-c) -l:libprotobuf-nanopb.a $(call library,z) -lm
SHOW_LIBS_top := $(call library,ncursesw tinfo)
SHOW_LIBS_openmetrics := $(call library,microhttpd)
SHOW := $(addprefix $(OUT)/show/,$(SHOW_FORMS))
show: $(SHOW)

$(OUT)/obj/show/%.o: show/%.c
	@mkdir -p $(@D)
	@echo CC $<
	@$(CC) $(ALL_CFLAGS) -I. -MMD -MP -c -o $@ $<

# A text that a program has, as a string of C.
$(OUT)/gen/show/%.inc: show/%
	@mkdir -p $(@D)
	@sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&\\n"/' $< > $@

$(OUT)/obj/show/flame.o: $(OUT)/gen/show/flame.js.inc
$(OUT)/obj/show/html/html.o: $(OUT)/gen/show/html/page.js.inc $(OUT)/gen/show/html/page.css.inc

SHOW_ALSO_otlp := $(addprefix show/openmetrics/,series.c labels.c buckets.c units.c)
show_objects = $(patsubst %.c,$(OUT)/obj/%.o,$(wildcard show/$(1).c show/$(1)/*.c) $(SHOW_ALSO_$(1)))
$(foreach f,$(SHOW_FORMS),$(eval $(OUT)/show/$(f): $(call show_objects,$(f))))
$(SHOW): $(patsubst %,$(OUT)/obj/show/%.o,$(SHOW_SHARED)) $(call objects,base)
	@mkdir -p $(@D)
	@echo LINK $@
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(PROGRAM) -o $@ $^ $(SHOW_LIBS_$(@F)) $(SHOW_LIBS)

# --- providers as data ---
PROVIDERS := $(sort $(wildcard providers/*.prov))

$(OUT)/gen/embedded_providers.inc: $(TOOLS)/embed-formulas $(PROVIDERS)
	@mkdir -p $(@D)
	@ASAN_OPTIONS=detect_leaks=0 $(TOOLS)/embed-formulas $(PROVIDERS) > $@.tmp && mv $@.tmp $@

$(OUT)/obj/tracer/library/formulas.o: $(OUT)/gen/embedded_providers.inc

# --- unit tests: tests/unit/FOLDER/SUBJECT_test.c, linked with FOLDER and what it may use ---
T ?= *
UNIT_SOURCES := $(wildcard tests/unit/$(T)/*_test.c tests/unit/$(T)/*/*_test.c)
ifneq ($(MACHINE),x86_64)
UNIT_SOURCES := $(filter-out tests/unit/agent/% tests/unit/inject/% tests/unit/postmortem/%,$(UNIT_SOURCES)) # as src/agent/inside/system.h
endif
UNIT_TESTS := $(patsubst tests/unit/%.c,$(OUT)/unit/%,$(UNIT_SOURCES))
unit_folder = $(patsubst %/,%,$(dir $(1)))
TEST_USES_loader := codegen program interpreter # it is tested with what the compiler makes
TEST_USES_codegen := program interpreter # whose machine runs what the compiler makes
TEST_USES_translate := codegen program interpreter # it runs what the compiler makes, as the machine does
TEST_USES_agent := codegen program interpreter # whose clauses run on its memory
TEST_USES_postmortem := codegen program interpreter # its scripts are compiled, and fire
TEST_USES_inject := codegen program interpreter # its scripts are compiled
TEST_USES_remote := codegen program interpreter # an agent in this process
TEST_USES_program := codegen
TEST_USES_sema := codegen program # tests/unit/compile.h
TEST_USES_plan := codegen program
TEST_USES_provider := loader # attaches what it describes
TEST_USES_inject := codegen program # whose code it places
TEST_USES_patch := object # whose files are planned
TEST_USES_runtime := arch # whose numbers walks of stacks are given
TEST_USES_libusdt := arch object unwind # which read what lib/usdt writes
# its kernel fails: tests/unit/tracer/fake_kernel.h
$(OUT)/unit/tracer/failing_test: TEST_LDFLAGS := -Wl,--wrap=syscall,--wrap=mmap,--wrap=ioctl,--wrap=epoll_ctl,--wrap=close
wing_of = $(firstword $(subst /, ,$(1)))
unit_uses = $(sort $(foreach f,$(1) $(TEST_USES_$(1)) $(call wing_of,$(1)) $(TEST_USES_$(call wing_of,$(1))),$(call closure,$(f))))

$(OUT)/obj/tests/%.o: tests/unit/%.c
	@mkdir -p $(@D)
	@echo CC $<
	@$(CC) $(ALL_CFLAGS) -Itests/unit -MMD -MP -c -o $@ $<

define unit_rule
$(OUT)/unit/$(1): $(OUT)/obj/tests/$(1).o \
		$(foreach f,$(filter-out runtime runtime/%,$(call unit_uses,$(call unit_folder,$(1)))),$(call objects,$(f))) \
		$(if $(filter libusdt/%,$(1)),$(USDT_OBJECTS))
	@mkdir -p $$(@D)
	@echo TEST $(1)
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) $$(TEST_LDFLAGS) -o $$@ $$^ $(LDLIBS)
endef
$(foreach t,$(patsubst tests/unit/%.c,%,$(UNIT_SOURCES)),$(eval $(call unit_rule,$(t))))

# --- the version (NEWS) and the revision: -V -v prints them ---
VERSION := $(shell sed -n 's/^## //p' NEWS.md | head -n 1)
REVISION ?= $(shell git describe --always --dirty 2>/dev/null || echo unknown)
BUILD_DATA := \#define RELEASE "$(VERSION)"\n\#define REVISION "$(REVISION)"\n
$(OUT)/obj/cmd/usage.o: $(OUT)/gen/revision.inc
$(OUT)/gen/revision.inc: FORCE
	@mkdir -p $(@D)
	@printf '$(BUILD_DATA)' | cmp -s - $@ || printf '$(BUILD_DATA)' > $@

# --- manual pages, whose tables are the compiler's own ---
TOOLKIT := $(sort $(wildcard toolkit/*.d))
TOOL_MAN := $(patsubst toolkit/%.d,$(OUT)/man/dtrace-%.8,$(TOOLKIT))
MAN := $(patsubst docs/man/%.in,$(OUT)/man/%,$(wildcard docs/man/*.in)) $(TOOL_MAN)
# Names are not hyphenated, so that they can be copied and searched for.
WITH_HEADER := sed '/^\.TH /s/"dtrace"\(.*\)/"dtrace $(VERSION)"\1\n.nr HY 0\n.nh\n.ad l/'
man: $(MAN)
$(OUT)/man/%: docs/man/%.in $(TOOLS)/man-pages $(PROVIDERS) $(TOOLKIT) docs/guide/types.md NEWS.md
	@mkdir -p $(@D)
	@$(TOOLS)/man-pages $< | $(WITH_HEADER) > $@.tmp && mv $@.tmp $@

# --- and those of the tools, from their comments ---
$(OUT)/man/dtrace-%.8: toolkit/%.d toolkit/examples/%.txt tools/tool-page NEWS.md
	@mkdir -p $(@D)
	@tools/tool-page $< $(word 2,$^) | $(WITH_HEADER) > $@.tmp && mv $@.tmp $@

$(OUT)/man-pages: tools/man-pages.c src/cmd/letter.def src/tracer/option/option.def src/sema/name/builtin.def \
		src/abi/aggregate.def src/provider/syscall_types.def src/provider/tracepoint.def src/provider/kernel/own_path.def \
		src/provider/counter.def \
		$(foreach f,$(filter-out runtime runtime/%,$(call closure,provider)),$(call objects,$(f)))
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(filter %.o,$^) $(LDLIBS)

# --- completion for shells, from the same tables ---
COMPLETION := $(addprefix $(OUT)/completion/,dtrace.bash _dtrace dtrace.fish)
completion: $(COMPLETION)
$(OUT)/completion/%: tools/completion/% $(TOOLS)/completion-tables
	@mkdir -p $(@D)
	@$(TOOLS)/completion-tables $(if $(filter _%,$*),zsh,$(subst .,,$(suffix $*))) | cat - $< > $@.tmp && mv $@.tmp $@

$(OUT)/completion-tables: tools/completion/tables.c src/cmd/letter.def src/tracer/option/option.def src/provider/provider.def \
		$(OUT)/gen/embedded_providers.inc
	@mkdir -p $(@D)
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $<

# --- programs to be traced, by tests and benchmarks ---
TRIGGERS := $(patsubst tests/trace/triggers/%.c,$(OUT)/triggers/%,$(wildcard tests/trace/triggers/*.c))
triggers: $(TRIGGERS)
$(OUT)/triggers/%: tests/trace/triggers/%.c $(wildcard tests/trace/triggers/*.h)
	@mkdir -p $(@D)
	@echo CC $<
	@$(if $(CROSS),$(CC),gcc) -std=gnu11 -D_GNU_SOURCE -O0 -g -fno-omit-frame-pointer \
		$(WARN) -Wno-missing-prototypes $(TRIGGER_FLAGS) -o $@ $< -lpthread
# Where children are followed, probes are in all processes that run the file: nothing is shared.
$(OUT)/triggers/family: TRIGGER_FLAGS := -static
# Its functions are small; so is what a million calls cost.
$(OUT)/triggers/fire: TRIGGER_FLAGS := -O1

# --- fuzzing: each reader of foreign bytes, FUZZ_SECONDS long, two at a time ---
FUZZ_SECONDS ?= 60
FUZZERS := $(patsubst tests/fuzz/%.c,$(OUT)/fuzz/%,$(wildcard tests/fuzz/*_fuzz.c))
$(OUT)/fuzz/%: tests/fuzz/%.c $(wildcard tests/fuzz/*.h) $(OUT)/libdtrace.a
	@mkdir -p $(@D)
	@echo FUZZ $*
	@$(CC) $(ALL_CFLAGS) -Itests/unit $(LDFLAGS) -fsanitize=fuzzer -o $@ $(filter-out %.h,$^) $(LDLIBS)

# Reads lines as the readers do, and draws them in each form: of the objects of FORM only `form` is seen, as form_FORM.
SHOW_FUZZED := $(SHOW_FORMS:%=$(OUT)/fuzz/show/%.o)
$(foreach f,$(SHOW_FORMS),$(eval $(OUT)/fuzz/show/$(f).o: $(call show_objects,$(f))))
$(SHOW_FUZZED): $(OUT)/fuzz/show/%.o:
	@mkdir -p $(@D)
	@$(CC) -nostdlib -r -o $@ $^ $(SHOW_LIBS_$*)
	@$(or $(OBJCOPY),objcopy) --redefine-sym form=form_$* --keep-global-symbol=form_$* $@

$(OUT)/fuzz/show_fuzz: tests/fuzz/show_fuzz.c $(SHOW_FUZZED) \
		$(patsubst %,$(OUT)/obj/show/%.o,$(filter-out main,$(SHOW_SHARED))) $(call objects,base)
	@mkdir -p $(@D)
	@echo FUZZ show_fuzz
	@$(CC) $(ALL_CFLAGS) -D'FORMS=$(foreach f,$(SHOW_FORMS),FORM($(f)))' -I. -Itests/unit $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(SHOW_LIBS)

# --- tests; every one of these ends with a line "N passed, N failed, N skipped" ---
units: $(UNIT_TESTS)

check-unit: $(UNIT_TESTS)
	@tools/run-tests $(UNIT_TESTS)

check-golden: $(OUT)/dtrace $(SHOW)
	@tools/kept $(OUT)/gen/golden-passed $(OUT)/dtrace $(SHOW) -- tools/run-golden $(OUT)/dtrace

check-trace: $(OUT)/dtrace $(SHOW) $(TRIGGERS) $(USDT_LIBRARIES)
	@tools/run-trace $(OUT) $(AREA)

# Real programs of Debian, installed or unpacked from their packages: minutes, and not in check-all.
check-programs: $(OUT)/dtrace $(SHOW)
	@for test in tests/programs/*.sh; do DTRACE=$(CURDIR)/$(OUT)/dtrace $$test || exit 1; done

check-arm64:
	@tools/setup build tests arm64
	@tools/check-arm64 $(PART)

# Other kernels, hours, and not in check-all.
check-vm: $(OUT)/dtrace $(SHOW) $(TRIGGERS) $(USDT_LIBRARIES)
	@VM="$(VM)" KERNELS="$(KERNELS)" AREA="$(AREA)" tools/check-vm $(OUT)

check-docs: $(OUT)/dtrace $(SHOW) $(TRIGGERS) $(USDT_LIBRARIES)
	@tools/check-docs $(OUT) $(PAGE)

ifeq ($(B),fuzz)
check-fuzz: $(FUZZERS) $(OUT)/triggers/globals
	@tools/run-fuzz $(FUZZ_SECONDS) $(FUZZERS)
else
check-fuzz:
	@$(MAKE) --no-print-directory B=fuzz check-fuzz
endif

check-man: $(MAN) $(OUT)/dtrace $(USDT_LIBRARIES)
	@tools/kept $(OUT)/gen/man-passed $(OUT)/dtrace $(MAN) -- tools/check-man $(OUT)

layers:
	@tools/check-layers
	@tools/shape docs/shape.txt

check-format:
	@tools/check-format $(CLANG_FORMAT) $(OUT)/gen/format-checked

ifeq ($(T),*)
check:
	@tools/total "$(MAKE) all" "&$(MAKE) check-golden" "$(MAKE) layers" "$(MAKE) check-format" "$(MAKE) check-man" \
		"$(MAKE) check-unit"
else
check: check-unit
endif

check-all:
	@tools/setup build tests
	@tools/total "$(MAKE) check" "&$(MAKE) check-compilers" "$(MAKE) check-trace" "$(MAKE) check-docs"

# What needs the processor; the tests of tracing mostly wait.
check-compilers:
	@tools/total "$(MAKE) B=clang all" "$(MAKE) B=asan check-unit" "$(MAKE) check-fuzz"

# --- seeing and measuring ---
demo:
	@tools/setup build
	@$(MAKE) --no-print-directory -s all
	@tools/demo $(OUT)/dtrace

bench:
	@tools/setup build bench
	@$(MAKE) --no-print-directory -s all triggers
	@bench/run $(NAME)

# --- installation ---
PREFIX ?= /usr/local
DIR := $(DESTDIR)$(PREFIX)
ZSH_FUNCTIONS ?= share/zsh/site-functions
# Another <sys/sdt.h> of this machine stays the one that programs find; ours is <dtrace/sdt.h> in any case.
# What is installed below DESTDIR, a package, does not depend on this machine.
OTHER_SDT = $(if $(DESTDIR),,$(firstword $(shell grep -L "include <dtrace/sdt.h>" $(DIR)/include/sys/sdt.h /usr/include/sys/sdt.h \
	/usr/include/$(shell $(CC) -print-multiarch)/sys/sdt.h 2>/dev/null)))
LIBDIR ?= lib
UNITDIR ?= $(PREFIX)/lib/systemd/system
install: $(OUT)/dtrace $(SHOW) $(MAN) $(COMPLETION) $(USDT_LIBRARIES)
	install -D -m 755 $(OUT)/dtrace $(DIR)/sbin/dtrace
	install -D -m 755 -t $(DIR)/libexec/dtrace $(SHOW)
	install -d $(DIR)/lib/dtrace $(DIR)/share/doc/dtrace
	install -m 644 $(DLIB) $(DIR)/lib/dtrace
	install -D -m 644 -t $(DIR)/share/man/man1 $(filter %.1,$(MAN))
	install -D -m 644 -t $(DIR)/share/man/man7 $(filter %.7,$(MAN))
	install -D -m 644 -t $(DIR)/share/man/man8 $(filter %.8,$(MAN))
	install -D -m 644 -t $(DIR)/share/dtrace $(TOOLKIT)
	install -D -m 644 -t $(DIR)/share/dtrace/providers $(PROVIDERS)
	install -D -m 644 -t $(DIR)/share/dtrace/export toolkit/export/*
	install -D -m 644 -t $(DIR)/share/man/man3 $(filter %.3,$(MAN))
	install -D -m 644 -t $(DIR)/$(LIBDIR) $(OUT)/lib/$(USDT_SONAME) $(OUT)/lib/libdtrace-usdt.a
	ln -sf $(USDT_SONAME) $(DIR)/$(LIBDIR)/libdtrace-usdt.so
	install -d $(DIR)/$(LIBDIR)/dtrace-usdt
	for name in usdt stapsdt; do for kind in so a; do \
		ln -sf ../libdtrace-usdt.$$kind $(DIR)/$(LIBDIR)/dtrace-usdt/lib$$name.$$kind; done; done
	install -D -m 644 -t $(DIR)/include lib/usdt/dtrace-usdt.h
	install -D -m 644 -t $(DIR)/include/dtrace-usdt lib/usdt/usdt.h lib/usdt/libstapsdt.h
	install -D -m 644 -t $(DIR)/include/dtrace-usdt/sys lib/usdt/sys/dtrace.h
	install -d $(DIR)/$(LIBDIR)/pkgconfig
	sed 's,@PREFIX@,$(PREFIX),; s,@LIBDIR@,$(LIBDIR),; s,@VERSION@,$(VERSION),' lib/usdt/dtrace-usdt.pc.in >$(DIR)/$(LIBDIR)/pkgconfig/dtrace-usdt.pc
	install -m 644 README.md NEWS.md LICENSE ARCHITECTURE.md CONTRIBUTING.md $(DIR)/share/doc/dtrace
	install -D -m 644 -t $(DIR)/share/doc/dtrace/docs docs/json.md docs/kernel.md docs/speed.md docs/tested.md
	install -D -m 644 -t $(DIR)/share/doc/dtrace/docs/guide docs/guide/*.md
	install -D -m 644 -t $(DIR)/share/doc/dtrace/docs/schema docs/schema/*.json
	install -D -m 644 -t $(DIR)/include/dtrace include/dtrace/sdt.h include/dtrace/wait.h
	$(if $(OTHER_SDT),@echo "$(OTHER_SDT) is SystemTap's: sys/sdt.h is not installed",install -D -m 644 -t $(DIR)/include/sys include/sys/sdt.h)
	install -D -m 644 $(OUT)/completion/dtrace.bash $(DIR)/share/bash-completion/completions/dtrace
	install -D -m 644 -t $(DIR)/$(ZSH_FUNCTIONS) $(OUT)/completion/_dtrace
	install -D -m 644 -t $(DIR)/share/fish/vendor_completions.d $(OUT)/completion/dtrace.fish
	install -d $(DESTDIR)$(UNITDIR)
	for unit in dtrace-anonymous dtrace-export@; do sed 's,"/usr/sbin/,"$(PREFIX)/sbin/,; s,/usr/share/,$(PREFIX)/share/,g' \
		tools/$$unit.service >$(DESTDIR)$(UNITDIR)/$$unit.service || exit 1; done

uninstall:
	@tools/uninstall "$(DESTDIR)" PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" ZSH_FUNCTIONS="$(ZSH_FUNCTIONS)" UNITDIR="$(UNITDIR)"

deb:
	@tools/make-deb $(OUT)

format:
	@$(CLANG_FORMAT) -i $$(find src lib show tests bench tools -name '*.[ch]')

clean:
	rm -rf build

-include $(shell find $(OUT)/obj $(OUT)/gen/agent -name '*.d' 2>/dev/null)
