BEGIN { x = raise(9); } BEGIN /stop()/ { }
