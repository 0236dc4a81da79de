#!-n
BEGIN
