# Completion for bash.  The tables above this line were made from those of the command.

# _dtrace_probes TEXT - the descriptions that begin as TEXT, up to the next colon
_dtrace_probes() {
	local before=${1%"${1##*:}"} colons=${1//[!:]/}
	case ${#colons} in
	0) IFS=' ' compgen -S : -W "$_dtrace_providers BEGIN END ERROR" -- "$1" | sed 's/^\(BEGIN\|END\|ERROR\):$/\1/' ;;
	[123])
		local rest=:::
		dtrace -l -n "$1*${rest:${#colons}}" 2>/dev/null | awk -v part="${#colons}" -v before="$before" '
			NR > 1 && part == 3 && !seen[$NF]++ { print before $NF }
			NR > 1 && part < 3 && NF == 5 && !seen[$(part + 2)]++ { print before $(part + 2) ":" }'
		;;
	esac
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
	*[:=]*) [[ $COMP_LINE =~ [[:blank:]](--?[[:alnum:]-]+)[[:blank:]]+[^[:blank:]]*$ ]] && letter=${BASH_REMATCH[1]} ;;
	esac
	local IFS=$'\n'
	case $letter in
	-x | --option) COMPREPLY=($(IFS=' ' compgen -W "$_dtrace_options" -- "$word")) ;;
	-n | --name) COMPREPLY=($(_dtrace_probes "$word")) ;;
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
}
complete -F _dtrace dtrace
