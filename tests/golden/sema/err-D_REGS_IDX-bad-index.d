BEGIN { trace(uregs[-1]); trace(uregs[pid]); trace(uregs[1000]); }
