# What: pcap() prints the text of a packet decoder on PATH, in its place; one for each link type, which ends with us; if it fails, bytes. Needs: btf python3.
. "$LIB"
cat >packet.d <<'D'
BEGIN
{
	this->bytes = (unsigned char *)alloca(20);
	this->bytes[0] = 1; this->bytes[19] = 0x41;
	this->packet = (struct sk_buff *)alloca(sizeof (struct sk_buff));
	this->packet->len = 60; this->packet->data_len = 40; this->packet->data = this->bytes;
D
# decoder NAME - prints its input, a line for each packet and one when its input ends
decoder() {
	mkdir -p bin
	cat >"bin/$1" <<'P'
#!/usr/bin/python3
import os, struct, sys, time
def take(n):
    got = sys.stdin.buffer.read(n)
    if len(got) < n:
        print("the end", flush=True)
        sys.exit()
    return got
def say(text):
    print(os.path.basename(sys.argv[0]), text, flush=True)
open("decoders", "a").write("%d\n" % os.getpid())
if sys.argv[1:] != ["-l", "-n", "-r", "-"] or os.getpgrp() != os.getpid():
    say("was not started as it should be")
magic, major, minor, zone, accuracy, longest, link = struct.unpack("=IHHIIII", take(24))
if (magic, major, minor, zone, accuracy, longest) != (0xa1b23c4d, 2, 4, 0, 0, 65535):
    say("got a wrong header")
while True:
    seconds, ns, captured, length = struct.unpack("=IIII", take(16))
    if abs(seconds - time.time()) > 60 or ns >= 1000000000:
        say("got a wrong time")
    say("link %d: %d of %d: %s" % (link, captured, length, take(captured).hex()))
P
	chmod +x "bin/$1"
}
# trace_with_decoders PROGRAM [OPTION...]
trace_with_decoders() {
	{
		cat packet.d
		printf '%s }\n' "$1"
	} >now.d
	shift
	path=$PATH
	PATH=$PWD/bin
	trace "$@" -s now.d
	PATH=$path
	same "$status" 0 status
	all_gone || fail "a decoder is left"
}
all_gone() {
	for decoder in $(cat decoders); do
		gone "$decoder" || return 1
	done
}
bytes=0100000000000000000000000000000000000041
two='printf("one\n"); pcap(this->packet, PCAP_ETHER); printf("two\n"); pcap(this->packet, PCAP_ETHER); printf("three\n"); exit(0);'

decoder tshark
trace_with_decoders "$two"
same "$(tr '\n' '/' <out)" "one/tshark link 1: 20 of 60: $bytes/two/tshark link 1: 20 of 60: $bytes/three/the end//" "text of tshark"
[ -s err ] && fail "something on standard error"
decoder tcpdump
trace_with_decoders "$two" -x pcapsize=8
same "$(tr '\n' '/' <out)" "one/tcpdump link 1: 8 of 60: 0100000000000000/two/tcpdump link 1: 8 of 60: 0100000000000000/three/the end//" "text of tcpdump"
same "$(wc -l <decoders)" 2 "decoders started for four packets"

# Each link type has its own; a file of freopen() gets packets, not text.
rm decoders
trace_with_decoders 'pcap(this->packet, PCAP_ETHER); pcap(this->packet, PCAP_IP); pcap(this->packet, PCAP_ETHER);
	freopen("packets"); pcap(this->packet, PCAP_ETHER); freopen("/dev/null"); pcap(this->packet, PCAP_ETHER);
	freopen(""); pcap(this->packet, PCAP_IP); exit(0);' -w
same "$(grep -o 'link [0-9]*' out | tr '\n' ' ')" "link 1 link 12 link 1 link 12 " "link types"
same "$(wc -l <decoders)" 2 decoders
same "$(wc -c <packets)" 60 "bytes of the file"

# In the lines of the default mode, and not at all in JSON.
rm decoders
PATH=$PWD/bin:$PATH "$DTRACE" -s now.d -w -x oformat=json >out 2>err || fail "JSON"
[ -e decoders ] && fail "a decoder was started for JSON"
contains "$bytes"

# It never comes to the end of a line, or of its last words: it does not get all time and memory.
cat >bin/endless <<'P'
#!/usr/bin/python3
import sys, time
print(sys.argv[1], flush=True, end="")
while True:
    sys.stdout.write("x" * int(sys.argv[2]))
    sys.stdout.flush()
    time.sleep(float(sys.argv[3]))
P
chmod +x bin/endless
# endless FIRST NUMBER SECONDS - a decoder that says FIRST, then NUMBER letters each SECONDS
endless() {
	printf '#!/bin/sh\necho $$ >>decoders\nexec bin/endless %s\n' "$*" | sed "s,^#.*,#!$(command -v sh)," >bin/tcpdump
	: >decoders
	trace_with_decoders "$two"
}
endless "''" 100000 0
contains "does not read packets of link type 1" err
same "$(grep -c '^ *0: 01 00 00' out)" 2 "packets as bytes after a flood"
[ "$(wc -c <out)" -lt 3000000 ] || fail "all of a flood is shown"
endless "''" 1 1
contains "does not read packets of link type 1" err
same "$(grep -c '^ *0: 01 00 00' out)" 2 "packets as bytes after a trickle"

# It ends without a word, with half a word, or says nothing.
for end in 'exit 3' 'head -c 30 >/dev/null; printf half' 'exec sleep 100'; do
	printf '#!/bin/sh\nPATH=%s\n%s\n' "$PATH" "$end" >bin/tcpdump
	: >decoders
	trace_with_decoders "$two"
	same "$(cat err)" "dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): tcpdump does not read packets of link type 1: bytes are shown" "'$end' told, once"
	same "$(grep -c '^ *0: 01 00 00' out)" 2 "packets as bytes after '$end'"
	same "$(grep '[a-z]' out | grep -v '  0  1  2' | tr -d '\n')" "one$(echo "$end" | grep -o half)twothree" "text around after '$end'"
done

# When we are killed, it reads the end of its input.
decoder tcpdump
sed 's/^BEGIN/tick-10ms/' packet.d >now.d
echo 'pcap(this->packet, PCAP_ETHER); }' >>now.d
: >decoders
path=$PATH
PATH=$PWD/bin:$PATH
background -s now.d
PATH=$path
until_true 10 grep -q tcpdump out || fail "no text"
kill -9 "$pid"
until_true 10 all_gone || fail "a decoder outlives us"
