fake::raed:entry { trace(1); }
fake::read:enter { trace(1); }
fak:::entry { trace(1); }
fake:read:entry { trace(1); }
fake::open*:entry { trace(1); }
BEGN { trace(1); }
nothing::like:it { trace(1); }
