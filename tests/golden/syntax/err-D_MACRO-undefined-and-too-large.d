BEGIN { trace($30); trace($$31); trace($nothing); trace($7); }
