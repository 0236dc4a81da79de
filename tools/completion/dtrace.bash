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

# _dtrace_tools - the names of the tools that come with dtrace
_dtrace_tools() {
	local at tool
	at=$(readlink -f "$(type -P dtrace)")
	at=${at%/*}
	case $at in
	*/build) at=${at%/build}/toolkit ;;
	*) at=${at%/*}/share/dtrace ;;
	esac
	for tool in "$at"/*.d; do
		tool=${tool##*/}
		echo "${tool%.d}"
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
	-s | --script) COMPREPLY=($(compgen -f -- "$word") $(compgen -W "$(_dtrace_tools)" -- "$word")) ;;
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
