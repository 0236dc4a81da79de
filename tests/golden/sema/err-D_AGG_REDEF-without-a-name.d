BEGIN { @ = count(); @_ = sum(1); }
