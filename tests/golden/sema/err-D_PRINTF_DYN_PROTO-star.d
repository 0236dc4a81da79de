BEGIN { printf("%*d"); printf("%.*d"); @a = count(); printa("%@*d", @a); }
