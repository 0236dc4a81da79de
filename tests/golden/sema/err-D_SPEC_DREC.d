BEGIN { @ = count(); speculate(2); }
