enum e { A = 1, B };
enum e g;
BEGIN { trace(stringof(g)); trace(g == "A"); trace(g == A); }
