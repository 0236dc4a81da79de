#!-K a variable of each CPU is that of this one; others with and without a type
extern int ext4_read;
BEGIN { trace(`counts.count); trace(`counts.low); printf("%p", &`counts); trace(stringof(`counts.name)); }
BEGIN { trace(`max_pfn); trace(*(int *)&`jiffies); trace(sizeof(`counts)); trace(sizeof(`max_pfn)); trace(sizeof(`schedule)); trace((uint64_t)`schedule); sym((uintptr_t)&`schedule); }
BEGIN { trace(`schedule == 0); trace(ext4_read); }
