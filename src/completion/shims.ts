/**
 * The script of each shell: it calls `partner complete SHELL WORD… :WORD` on Tab. The word at the cursor comes last
 * with a colon before it, because some shells drop an empty one. Each line of the answer is a candidate, a tab, and its
 * meaning; `:files` asks the shell for file names, after the text that follows the tab.
 */
const shims = {
  // From 3.2 (macOS) on. Without `compgen -W`, which would run what is between backticks.
  bash: `# Completion of partner for bash, made by: partner completion bash
_partner() {
  local cur=\${COMP_WORDS[COMP_CWORD]} word
  local -a before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=()
  while IFS= read -r word; do
    word=\${word%%$'\\t'*}
    if [[ $word != ':files' ]]; then
      case $cur in
        \\"*) [[ $word == *[\\"\\$\\\`\\\\!]* ]] && continue ;;
        \\'*) [[ $word == *\\'* ]] && continue ;;
        *) printf -v word %q "$word" ;;
      esac
      COMPREPLY+=("$word")
    elif ! compopt -o default 2>/dev/null; then
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "\${cur#=}")
    fi
  done < <(partner complete bash \${before[@]+"\${before[@]}"} ":$cur" 2>/dev/null </dev/null)
}
complete -F _partner partner
`,
  // Good as a file _partner in $fpath and for `source`, after compinit.
  zsh: `#compdef partner
# Completion of partner for zsh, made by: partner completion zsh
_partner() {
  local line lead files
  local -a offered as_is
  for line in "\${(@f)$(partner complete zsh "\${(@Q)words[2,CURRENT-1]}" ":\${(Q)PREFIX}" 2>/dev/null </dev/null)}"; do
    if [[ $line == :files* ]]; then
      files=yes lead=\${line#*$'\\t'}
    elif [[ -n $line ]]; then
      [[ $line == "\${(Q)PREFIX}"* ]] || as_is=(-U)
      line=\${line//\\\\/\\\\\\\\}
      offered+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  (( $#offered )) && _describe -t values partner offered $as_is
  [[ -z $files ]] && return $(( ! $#offered ))
  compset -P "\${(b)lead}"
  _files
}
if [[ $funcstack[1] == _partner ]]; then _partner "$@"; else compdef _partner partner; fi
`,
  // From 3.1 on.
  fish: `# Completion of partner for fish, made by: partner completion fish
function __partner_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    for line in (partner complete fish $before[2..-1] ":$current" 2>/dev/null </dev/null)
        set -l parts (string split -m 1 \\t -- $line)
        if test "$parts[1]" = :files
            set -l typed (string sub -s (math (string length -- "$parts[2]") + 1) -- "$current")
            for path in (__fish_complete_path "$typed")
                echo -- $parts[2]$path
            end
        else
            echo -- $line
        end
    end
end
complete -c partner -e
complete -c partner -f -a '(__partner_complete)'
`,
  // From 5.1 on. Where nothing is offered PowerShell offers the names of files.
  powershell: `# Completion of partner for PowerShell, made by: partner completion powershell
Register-ArgumentCompleter -Native -CommandName partner -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
    partner complete powershell @before ":$wordToComplete" 2>$null | ForEach-Object {
        $word, $summary = $_ -split "\`t", 2
        if ($word -ceq ':files') { return }
        $typed = if ($word -match '[^\\w./=:-]') { "'" + $word.Replace("'", "''") + "'" } else { $word }
        $shown = if ($summary) { $summary } else { $word }
        [System.Management.Automation.CompletionResult]::new($typed, $word, 'ParameterValue', $shown)
    }
}
`,
} as const;

export type Shell = keyof typeof shims;
export const shells = ["bash", "zsh", "fish", "powershell"] as const satisfies readonly Shell[];

/** The script for a shell. It contains no commands, so it stays correct when they change. */
export function shimFor(shell: Shell): string {
  return shims[shell];
}
