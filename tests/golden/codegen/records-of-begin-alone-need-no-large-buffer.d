/* What: BEGIN's and END's records have their bound, and the clause that fires without end has none. */
BEGIN { printf("%s", "begins"); }
profile-97 { @ = count(); }
END { trace(1); }
