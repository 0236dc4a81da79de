BEGIN { print(alloca(8)); }
