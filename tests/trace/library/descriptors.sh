# What: fds[] agrees with /proc for each kind of file: name, directory, path, position, flags, type and place of its
# file system; also for file systems that are not mounted. Needs: btf python3.
. "$LIB"
cat >child.py <<'PY'
import os, socket

top = os.getcwd()
with open("file", "w") as f:
    f.write("x" * 100)
gone = os.open("gone", os.O_CREAT | os.O_WRONLY | os.O_TRUNC | os.O_SYNC)
os.unlink("gone")
deep = os.path.join(top, "d" * 60, "e" * 60)
os.makedirs(deep)
reader, writer = os.pipe()
opened = [
    os.open("file", os.O_RDWR | os.O_APPEND),
    os.open("file", os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK),
    gone, reader, writer,
    socket.socket().detach(),
    os.memfd_create("memory"),
    os.open("/proc/self/maps", os.O_RDONLY),
    os.open("/proc", os.O_RDONLY | os.O_DIRECTORY),
    os.open("/dev/null", os.O_WRONLY),
    os.open("/", os.O_RDONLY),
    os.open("file", os.O_PATH),
    os.eventfd(1),
    os.open(deep, os.O_RDONLY),
]
os.lseek(opened[0], 33, os.SEEK_SET)
mounts = {}
for line in open("/proc/self/mountinfo"):
    words = line.split()
    mounts[words[0]] = (words[words.index("-") + 1], words[4])
with open("wanted", "w") as f:
    for i, fd in enumerate(opened):
        os.dup2(fd, 50 + i)
        path = os.readlink("/proc/self/fd/%d" % fd)
        info = dict(line.split(":\t") for line in open("/proc/self/fdinfo/%d" % fd).read().split("\n") if ":\t" in line)
        kind, mount = mounts.get(info["mnt_id"], ("", "<unknown>"))
        name = path.rstrip("/").rsplit("/", 1)[-1].removesuffix(" (deleted)") or "/"
        print(50 + i, path, "|", name, "|", os.path.dirname(path) or ".", "|", info["pos"].strip(),
              int(info["flags"], 8) & ~os.O_CLOEXEC, kind, mount, file=f)
os.chdir("/")
PY
echo 'syscall::chdir:entry /pid == $target/ {' >it.d
for fd in 50 51 52 53 54 55 56 57 58 59 60 61 62 63; do
	cat >>it.d <<D
	printf("$fd %s | %s | %s | %d %d %s %s\n", fds[$fd].fi_pathname, fds[$fd].fi_name, fds[$fd].fi_dirname,
	    fds[$fd].fi_offset, fds[$fd].fi_oflags & ~O_CLOEXEC, fds[$fd].fi_fs, fds[$fd].fi_mount);
D
done
echo 'exit(0); }' >>it.d
must_trace -s it.d -c "$(command -v python3) child.py"
# /proc does not show the types of file systems that are not mounted.
sed -i 's/ \(pipefs\|sockfs\|anon_inodefs\|tmpfs\) <unknown>$/  <unknown>/' out
sed '/^$/d' out | diff wanted - || fail "not what /proc says"
