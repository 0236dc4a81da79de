/* args[] has the types of the description that the clause is checked for. */
fake::read:entry, fake::write:entry { trace(args[2]); }
fake::exit:entry { trace(args[0]); }
