# What: strftime() in records, print(), keys and variables, in text and JSON; keys that print alike are one; enumnames does not matter.
. "$LIB"
export TZ=UTC
must_trace -n 'BEGIN { printf("%s|%22s|%-6s|%d\n", strftime("%Y-%m-%d %H:%M:%S.%f %%N%N", 1700000000123456789), strftime("%e %B", 0), strftime("%H", -1), strftime("%H", 5)); }
	BEGIN { this->t = strftime("%T", 1700000000123456789); print(this->t); trace(strftime("%j", this->t)); printf(" %Y\n", this->t); exit(0); }'
same "$(head -n 1 out)" "2023-11-14 22:13:20.123456 %N123456789|             1 January|23    |5" "printf"
same "$(sed -n '2,3p' out | tr '\n' ' ')" "int64_t 22:13:20 318 2023 Nov 14 22:13:20 " "print, trace, %Y"
must_trace -x enumnames=off -n 'BEGIN { trace(strftime("%T", 86399000000000)); exit(0); }'
same "$(cat out)" "23:59:59" "enumnames=off"
must_trace -n 'BEGIN { this->at = 1700000000000000000; @[strftime("%H:%M", this->at)] = count(); @[strftime("%H:%M", this->at + 9000000001)] = count();
		@[strftime("%H:%M", this->at + 60000000000)] = count(); @d[strftime("%F", this->at), 1] = count(); @d[strftime("%F", this->at + 200000000000), 1] = count();
		@f[strftime("%T.%f", this->at)] = count(); @f[strftime("%T.%f", this->at + 5000)] = count(); a[strftime("%H:%M", this->at)] = 7; }
	BEGIN { printa("%s %@d,", @); printa("%s %d %@d,", @d); printa("%s %@d,", @f); printf("%d", a[strftime("%H:%M", 1700000000000000000 + 1000000000)]); }
	BEGIN { foreach (k in a) printf(" %s\n", k); clear(@); clear(@d); clear(@f); exit(0); }'
same "$(head -n 1 out)" "22:14 1,22:13 2,2023-11-14 1 2,22:13:20.000000 1,22:13:20.000005 1,7 22:13" "keys"
must_trace -n 'BEGIN { @[strftime("%F %H:%M", -30000000000)] = count(); @[strftime("%F %H:%M", 30000000000)] = count(); exit(0); }'
same "$(grep -c '^  19[67][0-9-]* 23:59  *1$\|^  1970-01-01 00:00  *1$' out)" 2 "minutes before and after 1970"
must_trace -x oformat=json -n 'BEGIN { trace(strftime("%T", 1700000000000000000)); @[strftime("%T", 1)] = count(); exit(0); }'
same "$(grep -c '"enumerator":"22:13:20","number":{"integer":"1700000000000000000"}' out)" 1 "JSON, a record"
same "$(grep -c '"key":\[{"enumerator":"00:00:00","number":0}\]' out)" 1 "JSON, a key"
must_trace -n 'BEGIN { printf("%s %s %s\n", pid ? strftime("%Y", 1700000000000000000) : 0, !pid ? strftime("%Y", 1700000000000000000) : 0, pid ? 0 : strftime("%F", 1)); exit(0); }'
same "$(head -n 1 out)" "2023 1970 1970-01-01" "the format is known through ?:"
