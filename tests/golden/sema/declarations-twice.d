int same; int same; self string text; self string text; this int64_t t; this long t; int a[int, string]; int a[int, string];
self int b[struct s *]; self int b[struct s *]; typedef int number; typedef int number; extern int max_pfn; extern int max_pfn; struct s; struct s;
self int pid; this string timestamp; /* names of built-ins are free there */
BEGIN { self->pid = pid; this->timestamp = "x"; }
BEGIN { same = 1; text = "a global of that name"; self->text = "b"; this->t = 1; this->same = 2; @same = sum(same); @text[self->text] = count(); a[1, "x"] = 1; }
