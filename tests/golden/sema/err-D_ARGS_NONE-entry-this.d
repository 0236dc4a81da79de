fake::read:return { this->x = 1; trace(entry(this->x)); }
