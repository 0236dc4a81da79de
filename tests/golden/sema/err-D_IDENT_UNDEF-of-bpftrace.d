BEGIN { trace(comm); trace(nsecs); trace(retval); @[kstack] = count(); trace(elapsed); }
BEGIN { trace(str(arg0)); trace(ksym(arg0)); @ = hist(arg0); @n = lhist(arg0, 0, 100, 10); }
BEGIN { trace(func); trace(curtask->comm); trace(nsecs()); trace(cpid); }
