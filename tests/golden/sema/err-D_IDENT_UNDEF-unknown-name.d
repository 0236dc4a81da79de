BEGIN { trace(timstamp); trace(zzz); trace(`nosuch); trace(ext4`max_pfn); }
