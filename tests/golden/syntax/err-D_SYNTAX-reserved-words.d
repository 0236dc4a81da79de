counter int a;
import int b;
BEGIN { goto x; }
BEGIN { break; }
BEGIN { continue; }
BEGIN { return; }
BEGIN { switch (1) { } }
BEGIN { case = 1; }
BEGIN { default = 1; }
BEGIN { counter = 1; }
BEGIN { import = 1; }
BEGIN { if = 1; }
BEGIN { else = 1; }
BEGIN { probe = 1; }
BEGIN { provider = 1; }
BEGIN { translator = 1; }
BEGIN { xlate = 1; }
BEGIN { offsetof = 1; }
BEGIN { static = 1; }
struct s { int for; };
