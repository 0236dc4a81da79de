int x[0]; int y[-1]; int z[pid];
