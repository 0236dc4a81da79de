pid$taregt:::entry { trace(1); }
pid$32:::entry { trace($pdi); }
pid${nonsense}:::entry { trace(1); }
