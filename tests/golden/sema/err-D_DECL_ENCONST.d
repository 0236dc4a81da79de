enum { A = pid };
