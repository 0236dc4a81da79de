int vmlinux`x;
