#compdef hcloud-modelarts
# Completion of hcloud-modelarts in zsh: the program says what fits.
_hcloud_modelarts() {
  local -a texts lines
  local text says
  while IFS=$'\t' read -r text says; do
    texts+=("$text")
    lines+=("$text${says:+  -- $says}")
  done < <(hcloud-modelarts __complete -- "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)
  if (( $#texts )); then
    compadd -l -d lines -a texts
  else
    [[ $PREFIX == --*=* ]] && compset -P '*='
    _files
  fi
}
if [[ $funcstack[1] == _hcloud-modelarts ]]; then
  _hcloud_modelarts
else
  compdef _hcloud_modelarts hcloud-modelarts
fi
