fake::read:return { entry(timestamp) = 1; }
