#!-K what the kernel's symbols are is never written
extern int ext4_read;
BEGIN { `counts.count = 1; `counts.low++; `schedule = 0; ext4_read = 1; `ext4_limit.owner->count += 2; *&ext4_read = 3; }
