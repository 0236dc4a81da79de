BEGIN { printf(""); @a = count(); printa("", @a); }
