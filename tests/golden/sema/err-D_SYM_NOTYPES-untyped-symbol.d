BEGIN { trace(`jiffies); x = `jiffies; trace(`jiffies + 1); trace((int)`jiffies); }
