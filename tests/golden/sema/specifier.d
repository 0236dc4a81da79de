#!-n
fake:::entry /pid/
