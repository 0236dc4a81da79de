float f; double g;
BEGIN { f = 1; g = f; }
BEGIN { trace(f + 1); trace(f == f); trace(f < g); }
BEGIN { trace((int)f); trace((float)1); trace(-f); trace(f * g); trace(!f); }
BEGIN { trace(f); printf("%f %g", f, g); f = f; }
