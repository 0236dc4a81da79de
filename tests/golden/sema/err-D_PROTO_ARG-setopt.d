BEGIN { setopt(1); setopt("quiet", 1); }
