# What: a provider that is declared in D gives static probes its types, and translators of the script or of a library.  Needs: uprobe.  Executors: kernel process.
. "$LIB"
must_trace -n 'typedef struct textinfo { string ti_text; int ti_length; } textinfo_t;
	translator textinfo_t < char *T > { ti_text = copyinstr((uintptr_t)T); ti_length = strlen(copyinstr((uintptr_t)T)); };
	provider trig {
		probe text__given(char *text) : (textinfo_t *text, char *text);
		probe signed(char a, short b, int c, long d) : (int c, long d);
		probe sites(int n, long which);
	};
	trig$target:::text-given { printf("%s %d %s\n", args[0]->ti_text, args[0]->ti_length, copyinstr((uintptr_t)args[1])); }
	trig$target:::signed { printf("signed %d %d\n", args[0], args[1]); }
	trig$target::one_more_site:sites { printf("sites %d %d\n", args[0], args[1]); }
	trig$target:::twelve { printf("not declared: %d\n", args[11]); }' -c "$TRIGGERS/statics 2"
contains '^odd 3 odd$'
contains '^even 4 even$'
contains '^signed -1 -1$'
contains '^sites 2 3$'
contains '^not declared: 13$'

# From a library, for a target that another program executes first.
mkdir library
cat >library/trig.d <<'D'
provider trig { probe text__given(string s); };
D
must_trace_arrivals -Z -L library -n 'trig$target:::text-given { @[args[0]] = count(); } END { printa("%s %@d\n", @); }' -c "sh -c 'exec $TRIGGERS/statics 10'"
contains '^odd 5$'
contains '^even 5$'

trace -n 'provider trig { probe signed(int a); }; trig$target:::signed { trace(args[1]); }' -c "$TRIGGERS/statics"
same "$status" 1 "status of an argument that is not declared"
contains 'args\[1\] does not exist: the probe has 1 typed argument' err
exit 0
