struct s { char name[8]; char c; }; struct s v; char word[4];
BEGIN { trace(stringof(v.name)); trace(strlen(word)); @[v.name] = count(); trace(v.name == "x"); word[0] = 'a'; trace(word); trace(*word); v.name[pid] = 0; }
