provider dtrace { probe BEGIN(); probe nothing(); };
BEGIN { }
