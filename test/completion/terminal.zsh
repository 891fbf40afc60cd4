# Gives an interactive zsh a terminal, types each argument as a line and asks what completes it.
zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner 'source $SETUP'
zpty -r inner seen '*READY*'
for line in "$@"; do
  zpty -w -n inner "$line"$'\x14'
  zpty -r inner seen '*CAPTURED*'
  zpty -w -n inner $'\x15'
done
zpty -d inner
