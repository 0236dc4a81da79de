BEGIN { trace(vmregs[0]); trace(jid); trace(jailname); }
BEGIN { trace(machtimestamp); trace(pthread_self); }
