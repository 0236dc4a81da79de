# What: print() prints strings inside of structs as strings: in values, through pointers, in JSON; a string whose end
# is beyond printsize is truncated. Needs: btf.
. "$LIB"
cat >script.d <<'D'
struct who { int n; string name; };
struct both { struct who w[2]; };
struct both b;
BEGIN
{
	b.w[1].name = "abc"; b.w[1].n = 3;
	print(b.w[1]); print(b); print(&b.w[1]);
	exit(0);
}
D
must_trace -s script.d
cat >wanted <<'TEXT'
struct who {
    int n = 0x3
    string name = "abc"
}
struct both {
    struct who [2] w = [
        struct who {
            int n = 0
            string name = ""
        },
        struct who {
            int n = 0x3
            string name = "abc"
        }
    ]
}
ADDRESS = *
(struct who) {
 .n = (int)3,
 .name = (string)"abc",
}

TEXT
sed 's/0xff[0-9a-f]*/ADDRESS/; s/^                                            //' out >got
diff -u wanted got || fail 'not as wanted'

must_trace -x oformat=json -s script.d
contains '"type":"struct who","value":{"n":3,"name":"abc"}'
contains '"value":{"w":\[{"n":0,"name":""},{"n":3,"name":"abc"}\]}'

# Eight bytes are the number and four of the text: enough for "abc" with its end, not for more.
cat >cut.d <<'D'
struct who { int n; string name; };
struct who w[1];
BEGIN { w[0].name = "abc"; print(w[0]); w[0].name = "abcd"; print(w[0]); exit(0); }
D
must_trace -x printsize=8 -s cut.d
printf 'struct who {\n    int n = 0\n    string name = "abc"\n}\nstruct who {\n    int n = 0\n    ...\n}\n\n' |
	diff -u - out || fail 'cut at printsize'
