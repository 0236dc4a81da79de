#!-1.2
struct small_task { int pid; } *t; struct one { int a; }; struct two { int a; }; struct three { int a; };
#pragma D binding "1.2" translator
translator struct one <struct small_task *t> { a = t->pid; };
#pragma D binding "1.2.1" translator
translator struct two <struct small_task *t> { a = t->pid; };
translator struct three <struct small_task *t> { a = t->pid; };
BEGIN { trace(xlate <struct one>(t).a); trace(xlate <struct two>(t).a); trace(xlate <struct three>(t).a); }
