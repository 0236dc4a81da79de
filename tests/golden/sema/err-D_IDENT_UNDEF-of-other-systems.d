BEGIN { trace(vmregs[0]); trace(jid); trace(jailname); }
