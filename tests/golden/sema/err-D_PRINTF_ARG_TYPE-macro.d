BEGIN { printf("%s", $target); printf("%s", $target + 1); printf("%d", $$target); printf("%s %d", $$target, $target); }
