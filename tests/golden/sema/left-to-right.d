BEGIN { x = 5; x += x++; x += pid; y = 1; x += y++; this->p = alloca(8); }
BEGIN { bcopy(this->p, (char *)this->p + x++, x++); bcopy(this->p, this->p, 1); substr("abc", x++); }
