# What: each aggsort option, from the command line and by setopt(): signed keys, ties, positions, the end of tracing too.
. "$LIB"
cat >data.d <<'END'
BEGIN
{
	@a[2, "b"] = sum(5); @a[-1, "c"] = sum(5); @a[10, "a"] = sum(-2); @a[2, "a"] = sum(9);
	@b[2, "b"] = sum(1); @b[-1, "c"] = sum(2); @b[10, "a"] = sum(3); @b[2, "a"] = sum(0);
END
with() { # OPTIONS -- WANTED PROGRAM
	wanted=$2
	{
		cat data.d
		printf '%s exit(0); }\n' "$3"
	} >now.d
	# shellcheck disable=SC2086 # options
	must_trace $1 -s now.d
	same "$(sed '/^$/d' out | tr '\n' ' ' | sed 's/ $//')" "$wanted" "options '$1'"
}
one='printa("%d%s=%@d\n", @a);'
two='printa("%d%s=%@d,%@d\n", @a, @b);'
with "" "10a=-2 -1c=5 2b=5 2a=9" "$one trunc(@a); trunc(@b);"
with "-x aggsortrev" "2a=9 2b=5 -1c=5 10a=-2" "$one trunc(@a); trunc(@b);"
with "-x aggsortkey" "-1c=5 2a=9 2b=5 10a=-2" "$one trunc(@a); trunc(@b);"
with "-x aggsortkey -x aggsortrev" "10a=-2 2b=5 2a=9 -1c=5" "$one trunc(@a); trunc(@b);"
with "-x aggsortkey -x aggsortkeypos=1" "2a=9 10a=-2 2b=5 -1c=5" "$one trunc(@a); trunc(@b);"
with "-x aggsortkey -x aggsortkeypos=7" "-1c=5 2a=9 2b=5 10a=-2" "$one trunc(@a); trunc(@b);"
with "-x aggsortkeypos=1" "10a=-2 2b=5 -1c=5 2a=9" "$one trunc(@a); trunc(@b);"
with "" "10a=-2,3 2b=5,1 -1c=5,2 2a=9,0" "$two trunc(@a); trunc(@b);"
with "-x aggsortpos=1" "2a=9,0 2b=5,1 -1c=5,2 10a=-2,3" "$two trunc(@a); trunc(@b);"
with "-x aggsortpos=9" "10a=-2,3 2b=5,1 -1c=5,2 2a=9,0" "$two trunc(@a); trunc(@b);"
with "-x aggsortpos=1 -x aggsortrev" "10a=-2,3 -1c=5,2 2b=5,1 2a=9,0" "$two trunc(@a); trunc(@b);"
with "" "-1c=5 2a=9 2b=5 10a=-2" "setopt(\"aggsortkey\"); $one trunc(@a); trunc(@b);"
with "-x aggsortkey" "10a=-2 -1c=5 2b=5 2a=9" "setopt(\"aggsortkey\", \"no\"); $one trunc(@a); trunc(@b);"
must_trace -x aggsortkey -n 'BEGIN { @z[1] = count(); @a[-1] = count(); @z[-7] = count(); exit(0); }'
same "$(awk 'NF { print $1 }' out | tr '\n' ' ')" "-7 1 -1 " "the end: by variable first"
must_trace -x aggsortrev -n 'BEGIN { @z[1] = sum(1); @a[2] = sum(2); @z[3] = sum(3); exit(0); }'
same "$(awk 'NF { print $1 }' out | tr '\n' ' ')" "2 3 1 " "the end: variables are reversed, too"
# Keys are compared from the requested one on, then from the first.
must_trace -x aggsortkey -x aggsortkeypos=1 -n 'BEGIN { @[1, 2, 1] = count(); @[3, 1, 2] = count(); @[2, 1, 2] = count(); @[9, 1, 1] = count(); exit(0); }'
same "$(awk 'NF { print $1 $2 $3 }' out | tr '\n' ' ')" "911 212 312 121 " "aggsortkeypos goes on to the next key, then to the first"
# Texts go by their bytes.
must_trace -x aggsortkey -n 'BEGIN { @["b"] = count(); @["B"] = count(); @["\xe4"] = count(); @["ab"] = count(); @["a"] = count(); exit(0); }'
same "$(LC_ALL=C awk 'NF { print $1 }' out | od -An -c | tr -s ' \n' ' ')" ' B \n a \n a b \n b \n 344 \n ' "texts by their bytes"
# trunc() goes by values whatever the options say.
for options in '-x aggsortkey' '-x aggsortrev' '-x aggsortkey -x aggsortrev' '-x aggsortpos=1'; do
	# shellcheck disable=SC2086 # options
	must_trace $options -n 'BEGIN { @a[1] = sum(5); @a[2] = sum(9); @a[3] = sum(7); @b[1] = sum(1); @b[2] = sum(2); @b[3] = sum(3);
		trunc(@a, 1); trunc(@b, -1); printa("%d\n", @a); printa("%d\n", @b); exit(0); }'
	same "$(sed '/^$/d' out | tr '\n' ' ')" "2 1 " "trunc() with $options"
done
