pid$taregt:::entry { trace(1); }
pid$9:::entry { trace($pdi); }
pid${nonsense}:::entry { trace(1); }
