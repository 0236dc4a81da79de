provider p { probe x(int); };
