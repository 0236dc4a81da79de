BEGIN { this->x = "a"; }
END { this->x = 1; }
