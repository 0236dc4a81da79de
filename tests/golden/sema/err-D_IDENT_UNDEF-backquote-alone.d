BEGIN { x = sizeof(`); }
