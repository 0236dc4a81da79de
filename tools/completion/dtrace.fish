# Completion for fish.  The tables above this line were made from those of the command.

# The option of the line that names the target, a word on a line: -p PID, or -c COMMAND
function __dtrace_target
	set -l line (commandline -p | string join ' ')
	set -l found (string match -r -- '\s(?:-p\s*|--pid[=\s])(\d+)' $line)
	and printf '%s\n' -p $found[2]
	and return
	set found (string match -r -- '\s(?:-c\s*|--command[=\s])(?:\'([^\']+)\'|"([^"$\\\\]+)"|([^\s"$\'\\\\]+))' $line)
	and printf '%s\n' -c (string join '' -- $found[2..-1])
end

# The descriptions that begin as the word, up to the next colon
function __dtrace_probes
	set -l text (commandline -ct | string replace -r -- '^(-[nPmf]|--[a-z]+=)?[\'"]?' '' | string replace -a -- '\\$' '$')
	set -l colons (string replace -ar -- '[^:]' '' $text | string length)
	set -l before (string replace -r -- '[^:]*$' '' $text)
	set -l target
	set -l rest (string sub -s (math $colons + 1) -- :::)
	if test $colons = 0
		printf '%s:\n' (__dtrace_providers | string replace -r -- '^pid$' 'pid$$target')
		printf '%s\n' BEGIN END ERROR
		return
	end
	if string match -qr -- '^pid[0-9$]' $text
		set target (__dtrace_target)
		# A function of a process has a probe for each instruction, too.
		test -n "$rest" && set rest "$rest"entry
		test $colons = 1 && echo "$before"a.out:
	end
	timeout 5 dtrace -l -n "$text*$rest" $target 2>/dev/null </dev/null | awk -v part=$colons -v before="$before" '
		NR > 1 && part == 3 && !seen[$NF]++ { print before $NF }
		NR > 1 && part < 3 && NF == 5 && !seen[$(part + 2)]++ { print before $(part + 2) ":" }'
end

# The names of the tools, from where cmd/tool.c looks: the line's options tooldir, the machine's, our own
function __dtrace_tools
	set -l own (path dirname (path resolve (command -s dtrace)))
	switch $own
		case '*/build'
			set own (string replace -r -- '/build$' /toolkit $own)
		case '*/build/*'
			set own (string replace -r -- '/build/.*' /toolkit $own)
		case '*'
			set own (path dirname $own)/share/dtrace
	end
	set -l places (commandline -p | string match -ar -- 'tooldir=\S+' | string replace -- tooldir= '' | string replace -r -- '^~' $HOME)
	for place in $places /etc/dtrace/toolkit $own
		path basename -- $place/*.d | path change-extension ''
	end
end
