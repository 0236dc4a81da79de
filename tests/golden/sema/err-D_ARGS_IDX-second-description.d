fake::read:entry, fake::exit:entry, fake::read:return { trace(args[0]); }
