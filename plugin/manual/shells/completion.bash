# Completion of hcloud-modelarts in bash: the program says what fits.
_hcloud_modelarts() {
  local words=() n=-1 i word joined='' cut='' text says
  # bash cuts words at = and : and completes what follows. Here they are put
  # together again; what stands before the cut is taken off what is offered.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((n >= 0)) && [[ $word == [=:]* || $joined ]]; then
      cut=${words[n]}
      words[n]+=$word
    else
      cut=
      words[++n]=$word
    fi
    joined=
    if [[ $word == [=:]* ]]; then
      joined=1
      cut=${words[n]}
    fi
  done
  COMPREPLY=()
  while IFS=$'\t' read -r text says; do
    COMPREPLY+=("${text#"$cut"}")
  done < <(hcloud-modelarts __complete -- "${words[@]}" 2>/dev/null)
}
complete -o default -F _hcloud_modelarts hcloud-modelarts
