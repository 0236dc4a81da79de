extern int nowhere;
BEGIN { trace(`nowhere); }
BEGIN { trace(nowhere); }
