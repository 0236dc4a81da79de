/* A variable of the kernel without a type is an unsigned integer of its size; its address is a void *. */
BEGIN { trace(`max_pfn); x = `max_pfn; trace(`max_pfn + 1); trace((int)`max_pfn); trace(&`max_pfn); print(`max_pfn); @[`max_pfn] = sum(vmlinux`max_pfn); }
BEGIN /`max_pfn > 5/ { printf("%d", genunix`max_pfn); }
BEGIN { trace(has(vmlinux`max_pfn)); trace(has(vmlinux`nothing)); trace(has(nothing`max_pfn)); }
/* What its alignment and the next symbol's leave is padding. */
BEGIN { trace(`padded_int); trace(`padded_short); trace(`padded_byte); trace(sizeof(`padded_int)); }
BEGIN { trace(`jiffies); trace(sizeof(`jiffies)); trace(&`jiffies); }
