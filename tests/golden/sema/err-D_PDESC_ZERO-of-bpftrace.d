interval:s:1 { }
profile:hz:99 { }
tracepoint:syscalls:sys_enter_openat { }
kprobe:vfs_read { }
kretprobe:vfs_read { }
