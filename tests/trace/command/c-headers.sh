# What: headers of libc and of the kernel's interface parse under -C, and lay structs out as the C compiler does.
. "$LIB"
command -v cpp >/dev/null || skip "no cpp"
[ -e /usr/include/linux/types.h ] || skip "no headers in /usr/include (linux-libc-dev, libc6-dev)"
tried=0
for header in linux/types.h linux/stat.h linux/in.h linux/in6.h linux/ip.h linux/ipv6.h linux/tcp.h linux/udp.h \
	linux/socket.h linux/if.h linux/if_ether.h linux/netlink.h linux/fs.h linux/signal.h linux/time.h linux/futex.h \
	linux/sched.h linux/perf_event.h linux/bpf.h linux/btf.h linux/io_uring.h linux/input.h linux/capability.h \
	linux/ptrace.h linux/elf.h linux/fcntl.h linux/resource.h linux/icmp.h linux/batadv_packet.h asm/ptrace.h \
	sys/types.h sys/stat.h sys/socket.h sys/time.h sys/resource.h sys/uio.h sys/un.h sys/mman.h sys/epoll.h \
	sys/ioctl.h sys/wait.h sys/param.h sys/select.h sys/syscall.h netinet/in.h netinet/ip.h netinet/tcp.h \
	arpa/inet.h netdb.h net/if.h stdint.h stddef.h limits.h errno.h signal.h time.h unistd.h fcntl.h stdio.h \
	stdlib.h string.h pthread.h poll.h dirent.h elf.h math.h ctype.h inttypes.h \
	link.h complex.h regex.h aio.h setjmp.h ucontext.h semaphore.h wchar.h dlfcn.h glob.h termios.h sys/sysinfo.h \
	sys/user.h sys/statfs.h netinet/udp.h netinet/ip6.h linux/videodev2.h linux/ethtool.h linux/rtnetlink.h \
	linux/kvm.h linux/fuse.h linux/seccomp.h linux/audit.h linux/userfaultfd.h sound/asound.h; do
	[ -e "/usr/include/$header" ] || [ -e "/usr/include/$(uname -m)-linux-gnu/$header" ] || continue
	printf '#include <%s>\nBEGIN { exit(0); }\n' "$header" >header.d
	"$DTRACE" -e -C -s header.d >out 2>&1 || fail "$header"
	tried=$((tried + 1))
done
[ "$tried" -ge 30 ] || fail "only $tried headers are there"

command -v cc >/dev/null || skip "no C compiler to compare with"
headers='linux/if_ether.h linux/bpf.h sys/epoll.h linux/io_uring.h linux/perf_event.h sys/socket.h linux/input.h linux/ip.h linux/sched.h linux/netlink.h linux/batadv_packet.h link.h sys/sysinfo.h aio.h'
types='struct_ethhdr struct_bpf_lpm_trie_key union_bpf_attr struct_epoll_event struct_io_uring_sqe struct_perf_event_attr
	struct_cmsghdr struct_input_event struct_iphdr struct_clone_args struct_sockaddr_storage struct_nlmsghdr
	struct_bpf_prog_info struct_batadv_ogm_packet struct_batadv_unicast_4addr_packet struct_batadv_icmp_packet_rr
	struct_link_map struct_r_debug struct_sysinfo struct_aiocb'
for header in $headers; do
	echo "#include <$header>"
done >head
{
	cat head
	echo 'int printf(const char *, ...); int main(void) {'
	for type in $types; do
		name=$(echo "$type" | sed 's/_/ /')
		printf 'printf("%s %%d %%d\\n", (int)sizeof(%s), (int)__alignof__(%s));\n' "$type" "$name" "$name"
	done
	echo 'return 0; }'
} >sizes.c
{
	cat head
	echo 'BEGIN {'
	for type in $types; do
		name=$(echo "$type" | sed 's/_/ /')
		printf 'printf("%s %%d %%d\\n", sizeof(%s), __alignof__(%s));\n' "$type" "$name" "$name"
	done
	echo 'exit(0); }'
} >sizes.d
cc -w -o sizes sizes.c 2>err || fail "the C compiler"
./sizes >wanted
must_trace -C -s sizes.d
grep -v '^$' out >got
diff wanted got || fail "sizes and alignments differ"
