BEGIN { @a[strftime("%H", walltimestamp)] = count(); @a[strftime("%M", walltimestamp)] = count(); @a[5] = count(); }
BEGIN { self->t = strftime("%H", 1); self->t = strftime("%H", 2); self->t = 5; }
END { self->t = strftime("%M", walltimestamp); self->e[1] = self->t; self->e[2] = strftime("%H", 1); self->e[3] = strftime("%S", 1); }
END { self->k[strftime("%M", walltimestamp)] = 1; trace(self->k[strftime("%S", walltimestamp)]); }
END {
	self->late
		= strftime("%H", 1); self->late =
		strftime("%M", walltimestamp);
}
BEGIN { printf("%s", pid ? strftime("%H", walltimestamp) : strftime("%M", walltimestamp)); }
