BEGIN { trace(xlate <int>(pid)); }
