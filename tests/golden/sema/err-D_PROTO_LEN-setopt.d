BEGIN { setopt(); setopt("a", "b", "c"); ftruncate(1); }
