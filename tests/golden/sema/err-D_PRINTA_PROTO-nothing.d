BEGIN { printa(); printa("x"); }
