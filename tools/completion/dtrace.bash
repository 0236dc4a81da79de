# Completion for bash.  The tables above this line were made from those of the command.

# _dtrace_target LINE - the option of LINE that names the target: target=(-p PID), (-c COMMAND), or ()
_dtrace_target() {
	local p='[[:blank:]](-p[[:blank:]]*|--pid[=[:blank:]])([0-9]+)'
	local c='[[:blank:]](-c[[:blank:]]*|--command[=[:blank:]])('\''([^'\'']+)'\''|"([^"$`\]+)"|([^[:blank:]"$`\'\'']+))'
	target=()
	if [[ $1 =~ $p ]]; then
		target=(-p "${BASH_REMATCH[2]}")
	elif [[ $1 =~ $c ]]; then
		target=(-c "${BASH_REMATCH[3]}${BASH_REMATCH[4]}${BASH_REMATCH[5]}")
	fi
}

# _dtrace_probes TEXT QUOTE - the descriptions that begin as TEXT, in QUOTE, up to the next colon
_dtrace_probes() {
	local before=${1%"${1##*:}"} colons=${1//[!:]/} text=${1//\\$/$} rest=::: providers="$_dtrace_providers " dollar='\$'
	local -a target=()
	[ "$2" = "'" ] && dollar='$'
	rest=${rest:${#colons}}
	case ${#colons} in
	0)
		IFS=' ' compgen -S : -W "${providers/ pid / }BEGIN END ERROR" -- "$1" | sed 's/^\(BEGIN\|END\|ERROR\):$/\1/'
		[[ pid\$target == "$text"* ]] && echo "pid${dollar}target:"
		;;
	[123])
		# A function of a process has a probe for each instruction, too.
		[[ $text == pid[0-9\$]* ]] && _dtrace_target "$COMP_LINE" && rest=${rest:+${rest}entry}
		[[ ${#colons} = 1 && $text == pid* && a.out == "${text##*:}"* ]] && echo "${before}a.out:"
		timeout 5 dtrace -l -n "$text*$rest" "${target[@]}" 2>/dev/null </dev/null | awk -v part="${#colons}" -v before="${before//\\/\\\\}" '
			NR > 1 && part == 3 && !seen[$NF]++ { print before $NF }
			NR > 1 && part < 3 && NF == 5 && !seen[$(part + 2)]++ { print before $(part + 2) ":" }'
		;;
	esac
}

# _dtrace_processes DIGITS - the process ids that begin so, with the names of their commands
_dtrace_processes() {
	local place pid name line
	for place in /proc/"$1"*/; do
		pid=${place:6:-1}
		[[ $pid == *[!0-9]* ]] && continue
		IFS= read -r -d '' line 2>/dev/null <"$place/cmdline" # a thread of the kernel has none
		[ -n "$line" ] && read -r name 2>/dev/null <"$place/comm" && echo "$pid (${name//[^[:print:]]/?})"
	done | sort -n
}

# _dtrace_tools LINE - the names of the tools, from where cmd/tool.c looks: LINE's options tooldir, the machine's, our own
_dtrace_tools() {
	local line=$1 own place tool
	local -a places=()
	while [[ $line =~ tooldir=([^[:blank:]]+)(.*) ]]; do
		places+=("${BASH_REMATCH[1]/#\~/$HOME}")
		line=${BASH_REMATCH[2]}
	done
	own=$(readlink -f "$(type -P dtrace)")
	own=${own%/*}
	case $own in
	*/build) own=${own%/build}/toolkit ;;
	*/build/*) own=${own%/build/*}/toolkit ;;
	*) own=${own%/*}/share/dtrace ;;
	esac
	for place in "${places[@]}" /etc/dtrace/toolkit "$own"; do
		for tool in "$place"/*.d; do
			tool=${tool##*/}
			[ "$tool" = '*.d' ] || echo "${tool%.d}"
		done
	done
}

_dtrace() {
	local word=${COMP_LINE:0:COMP_POINT} letter=${COMP_WORDS[COMP_CWORD - 1]} quote=
	word=${word##*[[:blank:]]}
	case $word in \'* | \"*) quote=${word:0:1} word=${word:1} ;; esac
	case $word in
	-[nPmfxpcso]*) letter=${word:0:2} word=${word:2} ;;
	--*=*) letter=${word%%=*} word=${word#*=} ;;
	*[:=]*) [[ ${COMP_LINE:0:COMP_POINT} =~ [[:blank:]](--?[[:alnum:]-]+)[[:blank:]]+[^[:blank:]]*$ ]] && letter=${BASH_REMATCH[1]} ;;
	esac
	local IFS=$'\n'
	case $letter in
	-x | --option) COMPREPLY=($(IFS=' ' compgen -W "$_dtrace_options" -- "$word")) ;;
	-n | --name) mapfile -t COMPREPLY < <(_dtrace_probes "$word" "$quote") ;;
	-p | --pid)
		mapfile -t COMPREPLY < <(_dtrace_processes "$word")
		# A name is only shown; menus insert what they show.
		[[ ${#COMPREPLY[@]} = 1 || $COMP_TYPE == 37 || $COMP_TYPE == 42 ]] && COMPREPLY=("${COMPREPLY[@]%% *}")
		compopt -o nosort 2>/dev/null
		;;
	-P | --provider) COMPREPLY=($(IFS=' ' compgen -W "$_dtrace_providers" -- "$word")) ;;
	-c | --command) COMPREPLY=($(compgen -c -- "$word")) ;;
	-s | --script) COMPREPLY=($(compgen -f -- "$word") $(compgen -W "$(_dtrace_tools "$COMP_LINE")" -- "$word")) ;;
	-o | --output | -I | --include | -L | --library) COMPREPLY=($(compgen -f -- "$word")) ;;
	*) COMPREPLY=($(IFS=' ' compgen -W "$_dtrace_letters" -- "$word")) ;;
	esac
	# Without a quote, the word that bash replaces begins after the last colon or equals sign.
	local last=${word##*[:=]} i
	[ -n "$quote" ] || for i in "${!COMPREPLY[@]}"; do
		COMPREPLY[i]=${COMPREPLY[i]#"${word%"$last"}"}
	done
	case ${COMPREPLY[*]} in *[:=]) compopt -o nospace 2>/dev/null ;; esac
	# After the only match, bash closes the quote: with a second one it does not.
	[[ -n $quote && ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} == *[:=] && $COMP_TYPE != 37 && $COMP_TYPE != 42 ]] && COMPREPLY+=("${COMPREPLY[0]} ")
	return 0
}
complete -F _dtrace dtrace
