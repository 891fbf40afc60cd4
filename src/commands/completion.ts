import { command } from "../app/command.ts";
import { oneOf, positional } from "../cli/line/input.ts";
import { shells, shimFor } from "../completion/shims.ts";
import { formats } from "../report/options.ts";

export default command({
  summary: "Print a script that completes commands, flags and values on Tab.",
  description: `bash, a line in ~/.bashrc: eval "$(partner completion bash)"
zsh, once: partner completion zsh > ~/.zfunc/_partner
and before compinit in ~/.zshrc: fpath=(~/.zfunc $fpath)
fish, once: partner completion fish > ~/.config/fish/completions/partner.fish
PowerShell, a line in $PROFILE: partner completion powershell | Out-String | Invoke-Expression

The script asks partner on Tab, so it stays as it is after an update. Nothing is asked of the service.`,
  examples: ["completion bash", "completion zsh", "completion fish", "completion powershell"],
  args: { shell: positional({ summary: `One of ${shells.join(", ")}.`, words: shells, read: oneOf(...shells) }) },
  flags: {},
  text: { is: "a script for a shell", formats, flags: [] },
  exits: [],
  run: ({ args }) => Promise.resolve({ shape: "text", text: shimFor(args.shell) }),
});
