BEGIN { x = curthread->5; y = 1; }
BEGIN { x = a.(b); }
BEGIN { x = self->"a"; }
BEGIN { x = a->b`c; }
