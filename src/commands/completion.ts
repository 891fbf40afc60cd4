import { command } from "../cli/command.ts";
import { oneOf, positional } from "../cli/input.ts";
import { topics } from "../cli/topics.ts";
import { placesOf } from "../completion/grammar.ts";
import { completionScript, shells } from "../completion/shells.ts";
import { formats } from "../report/options.ts";

export default command({
  summary: "Print a script that completes commands, flags and values on Tab.",
  description: `bash, a line in ~/.bashrc: eval "$(partner completion bash)"
zsh, once: partner completion zsh > ~/.zfunc/_partner
and before compinit in ~/.zshrc: fpath=(~/.zfunc $fpath)
fish, once: partner completion fish > ~/.config/fish/completions/partner.fish
PowerShell, a line in $PROFILE: partner completion powershell | Out-String | Invoke-Expression

Names of profiles are looked up on Tab; everything else stands in the script, so write it again after an update.`,
  examples: ["completion bash", "completion zsh", "completion fish", "completion powershell"],
  args: { shell: positional({ summary: `One of ${shells.join(", ")}.`, read: oneOf(...shells) }) },
  flags: {},
  text: { is: "a script for a shell", formats, flags: [] },
  exits: [],
  async run({ args }, session) {
    const topicWords = Object.entries(topics).map(([text, { summary }]) => ({ text, summary }));
    const places = placesOf(await session.program.commands(), {
      topics: topicWords,
      argumentWords: { "completion shell": shells },
    });
    return { shape: "text", text: completionScript(args.shell, places) };
  },
});
