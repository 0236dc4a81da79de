fake::read:entry, fake::write:entry, BEGIN { trace(arg0); }
