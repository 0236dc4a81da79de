int (*fp)(int); BEGIN { trace(*fp); }
