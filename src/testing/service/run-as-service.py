"""Runs one command as systemd would run it for a service, on a machine where systemd does not run. Needs root.

Reads a JSON object from its only argument (ServiceStart in start-service.ts). Of what a unit restricts, this applies what
can keep a service from starting: folders, user and groups, user namespace, capabilities, file modes and system calls.
"""
import ctypes
import json
import os
import sys

NEW_MOUNTS, NEW_USERS = 0x00020000, 0x10000000
READ_ONLY, REMOUNT, BIND, RECURSIVE, PRIVATE = 1, 32, 4096, 16384, 1 << 18
DROP_BOUNDING, NO_NEW_PRIVILEGES = 24, 38
ALLOW, NOT_PERMITTED = 0x7FFF0000, 0x00050001

libc = ctypes.CDLL(None, use_errno=True)
seccomp = ctypes.CDLL("libseccomp.so.2")
seccomp.seccomp_init.restype = ctypes.c_void_p
start = json.loads(sys.argv[1])


def must(result, what):
    if result != 0:
        sys.exit(f"{what}: {os.strerror(ctypes.get_errno())}")


def mount(source, target, kind, flags, options=""):
    texts = [text.encode() for text in (source, target, kind)]
    must(libc.mount(*texts, ctypes.c_ulong(flags), options.encode()), f"mount {target}")


def protect_system(writable):
    """Makes all file systems read-only but those of the kernel and the writable folders."""
    for folder in writable:
        mount(folder, folder, "", BIND | RECURSIVE)
    with open("/proc/self/mountinfo", encoding="utf8") as table:
        points = [line.split()[4] for line in table]
    for point in points:
        if not any(f"{point}/".startswith(f"{kept}/") for kept in ["/proc", "/sys", "/dev", *writable]):
            mount("", point, "", REMOUNT | BIND | READ_ONLY)


def map_users(uid, gid):
    """Enters a user namespace that has only root and this user. Another process must write its maps."""
    wait_end, ready_end = os.pipe()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        os.read(wait_end, 1)
        for name, number in (("uid_map", uid), ("gid_map", gid)):
            with open(f"/proc/{parent}/{name}", "w", encoding="utf8") as table:
                table.write(f"0 0 1\n{number} {number} 1\n")
        os._exit(0)
    must(libc.unshare(NEW_USERS), "user namespace")
    os.write(ready_end, b"x")
    _, status = os.waitpid(child, 0)
    if status != 0:
        sys.exit("The maps of the user namespace could not be written.")


def filter_calls(names):
    context = ctypes.c_void_p(seccomp.seccomp_init(NOT_PERMITTED))
    for name in names:
        # A call of other architectures has a negative number here.
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            must(seccomp.seccomp_rule_add(context, ALLOW, number, 0), name)
    must(seccomp.seccomp_load(context), "system call filter")


must(libc.unshare(NEW_MOUNTS), "mount namespace")
mount("", "/", "", RECURSIVE | PRIVATE)
for place, folder in start["folders"].items():
    mount(folder, place, "", BIND | RECURSIVE)
if start["protectsSystem"]:
    protect_system(start["writable"])
if start["hidesKernel"]:
    mount("proc", "/proc", "proc", 0, "subset=pid")
os.setgroups(start["groups"])
os.setresgid(start["gid"], start["gid"], start["gid"])
if start["privateUsers"]:
    map_users(start["uid"], start["gid"])
if not start["capabilities"]:
    for capability in range(41):
        libc.prctl(DROP_BOUNDING, capability, 0, 0, 0)
os.setresuid(start["uid"], start["uid"], start["uid"])
os.umask(start["umask"])
os.chdir("/")
must(libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0), "no new privileges")
if start["calls"] is not None:
    filter_calls(start["calls"])
os.execvpe(start["command"][0], start["command"], start["environment"])
