BEGIN { @a = count(); x = @a; trace(@a + 1); }
