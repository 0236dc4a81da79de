pid123:::entry { trace(1); }
