/* In its body a tag is the type that is declared, also where the kernel has another one of this name. */
struct task_struct { struct task_struct x; };
union u { union u x[2]; };
