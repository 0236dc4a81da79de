BEGIN { trace(uregs[-1]); trace(uregs[pid]); trace(uregs[1000]); trace(uregs[26]); trace(regs[25]); }
