BEGIN { self->count = 1; trace(self->cuont); trace(this->y); }
