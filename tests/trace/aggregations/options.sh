# What: agghist, aggpack, aggzoom, aggpercentiles, aggpercu by option and by setopt(); what cannot be packed prints as ever.
. "$LIB"
cat >data.d <<'END'
BEGIN { @q["sshd"] = quantize(2, 3); @q["sshd"] = quantize(4, 3); @s["bash"] = sum(3); @s["cc1"] = sum(9); @m["x"] = min(1); @z = count(); exit(0); }
END
must_trace -x agghist -x aggpack -s data.d
cat >wanted <<'END'


              key  min .----. max  | count
             sshd    1 : xx : 8    | 6

              key  ------------- Distribution ------------- count    
             bash |@@@@@@@@@@                               3        
              cc1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           9        
  x                                                                 1
                1
END
diff wanted out || fail "packed"
LC_ALL=en_US.UTF-8 must_trace -x agghist -x aggpack -s data.d
contains 'sshd    1 : ▅▅ : 8    | 6'
must_trace -x aggpack -x encoding=utf8 -s data.d
contains 'sshd    1 : ▅▅ : 8    | 6'
must_trace -x aggzoom -x aggpercentiles=50 -s data.d
contains '^               2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   3        $'
contains '^             p50 3$'
must_trace -n 'BEGIN { @["x"] = count(); @h = quantize(1); printa(@); setopt("agghist"); printa(@); setopt("agghist", "no"); printa(@);
	setopt("aggpercentiles", "25,75.5"); printa(@h); exit(0); }'
same "$(grep -c '^  x  ' out)" 2 "plain rows"
same "$(grep -c '^                x |@@@@' out)" 1 "rows with bars"
contains '^           p75.5 1$'
trace -x aggpercentiles=50,900 -s data.d
same "$status" 1 "status of a wrong percentile"
contains "'50,900' is not up to 16 percentages such as 50,90,99.9" err
