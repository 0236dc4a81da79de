void *vp; int (*fp)(int); BEGIN { trace(vp + 1); vp++; trace(fp + 1); x = bcopy(vp, vp, 1); }
