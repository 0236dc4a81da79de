typedef int mine_t;
BEGIN { mine_t = 1; }
BEGIN { uint32_t[1] = 2; }
BEGIN { self->mine_t = 3; @mine_t = count(); this->uint32_t = 4; }
