#!formulas
provider x {
	colour blue;
	probe one () { on nothing else(int a); }
	probe fine-1 () { on tp a(int b); }
	probe two (int a, int a) { on tp a(); }
	probe three (int) { on tp a(); }
	probe four () { on tp b() if 1 + 2; }
	probe fine-2 (int x) { on tp a(int b) { x = b; } }
	probe five () { on tp b() { let x 1; } on tp c() { let y = 2; } }
	probe six (int a { on tp b(); }
	probe seven () { on syscall read (int fd); }
	probe eight () { on tp b() { save k; a = xlate <foo_t>(b) with { c } ; } }
	probe nine () { }
	probe fine-3 () { on tp c; }
	probe ten (...) { on tp c; }
	probe several () { on tp a, b(int c); }
	probe eleven () { on tp b() if hastp(1); }
	probe twelve () { on tp b() if option(ioview); }
	probe thirteen () { on tp b() if option(ioview, 1); }
}
provider other { context system; probe bad () { on insn f+x; } probe worse () { on insn f when 1; } probe kept () { on tp x(); } }
provider quoted { module "x"; probe aname_that_is_longer_than_the_sixty_three_characters_of_other_systems () { on tp x(); } }
