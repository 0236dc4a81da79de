# What: every option that the specification has us accept is accepted, with each kind of its values.
for setting in aggpercpu amin=Stable/Stable/Common argref cpp cppargs=-DX cpphdrs cpppath=/bin/cpp \
	ctfpath=/x debug=no defaultargs define=X undef=X incdir=/x disasm=1 dofstashpath=/x droptags empty \
	encoding=utf8 encoding=ascii errtags evaltime=exec evaltime=preinit evaltime=postinit evaltime=main \
	kdefs knodefs late=dynamic late=static ldpath=/x libdir=/x linkmode=kernel \
	linkmode=dynamic linkmode=static linktype=elf modpath=/x nolibs procfspath=/proc pspec setenv=A=B unsetenv=A \
	stdc=a stdc=c stdc=s stdc=t strip syslibdir=/x sysslice=system.slice tree=0 useruid=1000 udefs unodefs \
	verbose=no version=1.0 zdefs \
	aggsize=1m bpflog=no bpflogsize=1m bufsize=1m bufpolicy=ring bufpolicy=fill bufpolicy=switch \
	bufresize=auto bufresize=manual cleanrate=101hz cpu=0 destructive dynvarsize=1m jstackframes=5 \
	jstackstrsize=512 lockmem=1m lockmem=unlimited maxframes=5 noresolve nspec=2 pcapsize=100 scratchsize=256 \
	specsize=1m stackframes=5 statusrate=1s strsize=100 temporal=no ustackcopy=1m ustackframes=5 \
	agghist aggpack aggzoom aggrate=1s aggsortkey aggsortkeypos=1 aggsortpos=1 aggsortrev flowindent \
	printsize=16 quiet quietresize rawbytes rawterminal stackindent=4 switchrate=1s; do
	"$DTRACE" -x $setting -e -n BEGIN || echo "$setting: status $?"
done
