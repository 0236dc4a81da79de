# What: eight-byte characters, alloca(0), casts of arrays, one byte of a struct, a member translated twice, names and strsize.
. "$LIB"
must_trace -n "BEGIN { x = 'abcdefgh'; printf(\"%x %d %d %d\n\", x, sizeof('abcdefgh'), sizeof('abcd'), sizeof('\\0\\0\\0\\0a')); exit(0); }"
same "$(cat out)" "6162636465666768 8 4 8" "characters"
must_trace -n 'BEGIN { p = alloca(0); q = alloca(8); *(int *)q = 5; r = alloca(0);
	printf("%d %d %d %d\n", alloca(0) == alloca(0), alloca(8) == alloca(8), p != NULL, *(int *)q); exit(0); }'
same "$(cat out)" "1 0 1 5" "alloca(0)"
must_trace -n 'int a[5], b[8]; BEGIN { a[1] = 5; ((int *)a)[2] = 8; this->x = ((int *)a)[7];
	printf("%d %d %d\n", ((int *)a)[1], a[2], ((long *)b)[1]); exit(0); }'
same "$(cat out)" "5 8 0" "casts of arrays"
must_trace -n 'struct f { char c; } f; char g[1]; BEGIN { f.c = 65; g[0] = 65; trace(f); trace(g); exit(0); }'
contains '0: 41 ' out
must_trace -n 'struct f { int a; int b; }; translator struct f < int i > { a = i; b = 1; a = i + 1; }; struct f x;
	BEGIN { x = xlate <struct f>(3); printf("%d %d %d\n", (xlate <struct f>(3)).a, x.a, x.b); exit(0); }'
same "$(cat out)" "4 4 1" "a member translated twice"
trace -x strsize=5 -n 'BEGIN { @[probeprov] = sum(7); printf("%s %s %s\n", probeprov, probename, probeprov == "dtrac" ? "y" : "n"); exit(0); }'
grep -q '^dtrac BEGIN' out && grep -q '^ *dtrac  *7$' out || fail "names and strsize: $(cat out)"
printf '#pragma D option lockmem=4m\nBEGIN { exit(0); }\n' >lock.d
trace -x errtags -s lock.d
contains 'D_PRAGMA_OPTSET' err
must_trace -x maxframes=1 -n 'BEGIN { printf("%d %d\n", ustackdepth, stackdepth); exit(0); }'
same "$(cat out)" "1 1" "maxframes"
must_trace -n 'BEGIN { @ = llquantize(1, 8, 0, 1, 2); @ = llquantize(5, 8, 0, 1, 2); @ = llquantize(9, 8, 0, 1, 2); @ = llquantize(40, 8, 0, 1, 2); exit(0); }'
same "$(awk '$NF == 1 { printf "%s ", $1 }' out)" "1 4 8 32 " "fewer steps than the factor"
