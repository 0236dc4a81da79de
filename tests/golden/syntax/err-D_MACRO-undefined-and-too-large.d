BEGIN { trace($8); trace($$9); trace($nothing); trace($7); }
