pidabc:::entry { trace(1); }
pid:a.out:main:entry { trace(1); }
pid12x:::entry { trace(1); }
pid*::main:entry { trace(1); }
