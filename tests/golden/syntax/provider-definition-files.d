/* As for SystemTap's dtrace: no semicolon after the brace, D's words as names, types of nowhere. */
provider one { probe a(const char *string, int self, struct this_is *this); }
provider two { probe b(Oid, LockMode mode, string) : (LockMode mode); }
provider three { probe c(void (*probe)(int provider), char counter[16]); };
provider four { probe string(void); probe self(); }
