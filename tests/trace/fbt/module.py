# module.py find NAME | load NAME [PARAMETER] | unload NAME | reload NAME [PARAMETER] - a module of this kernel, loaded after those
# that it depends on; reloaded: loaded and unloaded three times; status 77: it has none of this name
import ctypes, errno, functools, json, lzma, os, platform, re, sys
init_module, delete_module = (175, 176) if platform.machine() == "x86_64" else (105, 106)
syscall = ctypes.CDLL(None, use_errno=True).syscall


@functools.cache
def paths():
    """By the module's name.  In an emulated machine one walk takes 20 s: the test's folder keeps the result."""
    if os.path.exists("module-paths"):
        with open("module-paths") as file:
            return json.load(file)
    folders = os.walk("/lib/modules/" + os.uname().release)
    files = ((folder, file) for folder, _, files in folders for file in files if ".ko" in file)
    found = {file.split(".ko")[0].replace("-", "_"): os.path.join(folder, file) for folder, file in files}
    with open("module-paths", "w") as file:
        json.dump(found, file)
    return found


def image_of(path):
    with (lzma.open if path.endswith(".xz") else open)(path, "rb") as file:
        return file.read()


def load(name, parameters):
    """0, or the error."""
    image = image_of(paths()[name.replace("-", "_")])
    for needed in filter(None, re.search(rb"\0depends=([^\0]*)\0", image)[1].decode().split(",")):
        failed = load(needed, "")
        if failed and failed != errno.EEXIST:
            return failed
    return syscall(init_module, image, ctypes.c_ulong(len(image)), parameters.encode()) and ctypes.get_errno()


def unload(name):
    return syscall(delete_module, name.encode(), os.O_NONBLOCK) and ctypes.get_errno()


what, name, parameters = sys.argv[1], sys.argv[2].replace("-", "_"), "".join(sys.argv[3:])
if what != "unload" and name not in paths():
    sys.exit(77)
failed = 0
if what == "load":
    failed = load(name, parameters)
elif what == "unload":
    failed = unload(name)
elif what == "reload":
    failed = next(filter(None, (load(name, parameters) or unload(name) for _ in range(3))), 0)
if failed:
    sys.exit("%s %s: %s" % (what, name, os.strerror(failed)))
