#!-f
read, sys:vmlinux:write, vmlinux:open
