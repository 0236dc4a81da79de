/* What: how many passes a loop has is known where the text says it */
this int i; this uint8_t u; this unsigned int v; this int64_t l;
BEGIN { for (this->i = 0; this->i < 10; this->i++) x++; }
BEGIN { for (this->i = 0; this->i <= 10; this->i += 3) x++; }
BEGIN { for (this->i = 10; this->i > 0; this->i--) x++; }
BEGIN { for (this->i = 10; this->i >= 0; this->i -= 4) x++; }
BEGIN { for (this->i = 0; this->i != 12; this->i += 4) x++; }
BEGIN { for (this->l = 5; this->l < 5; ++this->l) x++; }
BEGIN { for (this->v = 0; this->v < 8388608; this->v++) x++; }
BEGIN { for (this->i = 0; this->i < 2896; this->i++) for (this->l = 0; this->l < 2896; this->l++) x++; }
BEGIN { for (this->i = 0; this->i < 10; this->i++) { if (x) break; if (y) continue; } }
/* not known */
BEGIN { for (this->i = 0; this->i != 10; this->i += 4) x++; }
BEGIN { for (this->i = 0; this->i < 10; this->i--) x++; }
BEGIN { for (this->i = 0; this->i < 10; this->i += x) x++; }
BEGIN { for (this->i = 0; this->i < x; this->i++) x++; }
BEGIN { for (this->i = x; this->i < 10; this->i++) x++; }
BEGIN { for (this->i = 0; this->i < 10; this->i++) this->i--; }
BEGIN { for (this->i = 0; this->i < 10; this->i++) x = (int64_t)&this->i; }
BEGIN { for (this->u = 0; this->u < 10; this->u++) x++; }
BEGIN { for (this->v = 3; this->v >= 0; this->v--) x++; }
BEGIN { for (this->i = 0; this->i < 10; this->i *= 2) x++; }
BEGIN { for (i = 0; i < 10; i++) x++; }
BEGIN { for (this->l = 0; this->l < 8388609; this->l++) x++; }
BEGIN { for (this->i = 0; this->i < 2897; this->i++) for (this->l = 0; this->l < 2897; this->l++) x++; }
BEGIN { this->i = 0; while (this->i < 10) this->i++; }
