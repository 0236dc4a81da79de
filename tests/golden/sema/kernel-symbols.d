extern unsigned long jiffies;
BEGIN { trace(`jiffies); trace(jiffies); trace(&`max_pfn); trace(*(int *)&vmlinux`max_pfn); sym(&`max_pfn); }
