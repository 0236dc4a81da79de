BEGIN { commit(1); system("ls"); print(1); setopt("quiet"); }
