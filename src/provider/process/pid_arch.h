/* SPDX-License-Identifier: BSD-2-Clause */
/* pid_arch - what the code of a traced file is for: this machine, or its programs of 32 bits */
#ifndef PROVIDER_PID_ARCH_H
#define PROVIDER_PID_ARCH_H

#include "arch/arch.h"
#include "object/object.h"

/* NULL: we know nothing of such code, and the file is not traced (pid_object_open()). */
static inline const struct arch *pid_arch(const struct elf_file *elf)
{
	return arch_of_program(arch_host(), elf_file_word(elf), elf_file_machine(elf));
}

#endif
