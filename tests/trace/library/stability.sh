# What: -v prints the weakest attributes of probes and statements, -xamin refuses weaker ones, -lv prints those of a
# probe. Needs: btf.
. "$LIB"

# attributes TITLE - the three words after a title of the report
attributes() {
	awk -v title="	$1" '$0 == title { on = 3; next } on { printf "%s ", $NF; on-- }' out
}
probes='Minimum Probe Description Attributes' statements='Minimum Statement Attributes'

must_trace -v -e -n 'BEGIN { trace(1); }'
same "$(attributes "$probes")" 'Stable Stable Common ' 'probes of BEGIN'
same "$(attributes "$statements")" 'Stable Stable Common ' 'a constant'
must_trace -v -e -n 'BEGIN { trace(curpsinfo->pr_pid); }'
same "$(attributes "$statements")" 'Stable Stable Common ' 'a translated member'
must_trace -v -e -n 'BEGIN { trace(curthread->pid); }'
same "$(attributes "$statements")" 'Private Private Unknown ' "a kernel struct's member"
must_trace -v -e -n 'BEGIN { trace((long)curthread); }'
same "$(attributes "$statements")" 'Stable Private Common ' curthread
must_trace -v -e -n 'BEGIN { trace(xlate <psinfo_t>(curthread).pr_pid); }'
same "$(attributes "$statements")" 'Stable Private Common ' 'curthread, translated'
must_trace -v -e -n 'BEGIN { trace(htons(1)); }'
same "$(attributes "$statements")" 'Evolving Evolving Common ' 'htons()'
for call in 'getmajor(arg0)' 'getminor(arg0)' 'getf(1)' 'htonl(1)' 'htonll(1)' 'ntohs(1)' 'ntohl(1)' 'ntohll(1)'; do
	must_trace -v -e -n "BEGIN { trace($call); }"
	same "$(attributes "$statements")" 'Evolving Evolving Common ' "$call"
done
must_trace -v -e -n 'BEGIN { trace((long)&`vfs_read); }'
same "$(attributes "$statements")" 'Private Private Unknown ' "a kernel symbol"
must_trace -v -e -n 'struct mine { int a; }; BEGIN { trace(((struct mine *)arg0)->a); stack(); @ = count(); }'
same "$(attributes "$statements")" 'Stable Stable Common ' "a type of the program's own, actions"
must_trace -v -e -n 'inline int p = curthread->pid; BEGIN { trace(p); }'
same "$(attributes "$statements")" 'Stable Stable Common ' "an inline, whatever it is made of"
must_trace -v -e -n 'syscall::read:entry { trace(args[0]); }'
same "$(attributes "$statements")" 'Private Private ISA ' "args[]"
printf 'BEGIN { trace(1); }\nEND { trace(probefunc); }\n' >both.d
must_trace -v -e -s both.d
contains '^Stability attributes for script both.d:'
same "$(attributes "$statements")" 'Private Private Unknown ' 'the weakest of two clauses'

trace -x amin=Stable/Stable/Common -n 'BEGIN { trace(curpsinfo->pr_pid); exit(0); }'
same "$status" 0 'status above amin'
trace -x amin=Stable/Stable/Common -x errtags -n 'BEGIN { trace(curthread->pid); }'
same "$status" 1 'status below amin'
contains 'D_ATTR_MIN' err
trace -x amin=Stable/Stable/Common -x errtags -n 'syscall::read:entry { trace(1); }'
contains 'D_ATTR_MIN' err
for wrong in nonsense stable/stable/common Stable/Stable Stable/Stable/Common/x 7/7/5; do
	trace -x amin=$wrong -n BEGIN
	contains 'attributes such as' err
done
printf '#pragma D option amin=Stable/Stable/Common\nBEGIN { trace(curthread->pid); }\n' >amin.d
trace -x errtags -s amin.d
contains 'D_ATTR_MIN' err

# A declared provider that does not exist yet: the program's declaration, or else Unstable.
printf 'provider calm { probe sea(); };
#pragma D attributes Evolving/Stable/ISA provider calm provider
#pragma D attributes Stable/Evolving/Common provider calm name
#pragma D attributes Private/Private/Platform provider calm function
calm12345:::sea { trace(1); }\n' >calm.d
must_trace -Z -v -e -s calm.d
same "$(attributes "$probes")" 'Evolving Evolving ISA ' 'a declared provider'
sed 's/12345:::/*::f:/' calm.d >function.d
must_trace -Z -v -e -s function.d
same "$(attributes "$probes")" 'Private Private Platform ' 'with its function'
trace -Z -x amin=Stable/Stable/ISA -x errtags -s calm.d
contains 'D_ATTR_MIN.* Evolving/Evolving/ISA' err
must_trace -Z -v -e -n 'provider calm { probe sea(); }; calm*:::sea { trace(1); }'
same "$(attributes "$probes")" 'Unstable Unstable Common ' 'a declared provider without pragmas'
mkdir lib
sed '/:::/d' calm.d >lib/calm.d
must_trace -Z -L lib -v -e -n 'calm*:::sea { trace(1); }'
same "$(attributes "$probes")" 'Evolving Evolving ISA ' "a library's provider"

must_trace -lv -n BEGIN
same "$(attributes 'Probe Description Attributes')" 'Stable Stable Common ' BEGIN
same "$(attributes 'Argument Attributes')" 'Stable Stable Common ' 'arguments of BEGIN'
