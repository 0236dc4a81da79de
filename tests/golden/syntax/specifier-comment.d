#!-n
BEGIN, END; profile-1 / x / // y/
