#pragma D option defaultx=1
BEGIN
{
	trace($1); trace($$1); trace($2); trace($3); trace($$3); trace($4); trace($5);
	(($6)1); ($6)$1; $pid; $$pid; $0;
}
proc$1::$2:$target-entry, foo${target}bar:::, a\$b:c\:\:d { }
