import { posix } from "node:path";
import type { Files } from "../../host/files/files.ts";
import { saveText } from "../../report/save.ts";

const mark = "(simulator) ";

/** How to start a shell whose prompt shows that it is in the simulator. */
export interface MarkedShell {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs the person's own start file, and marks the prompt again whenever that file's settings replace it. */
const bashStart = `[ -f ~/.bashrc ] && . ~/.bashrc
__partner_mark() { case $PS1 in '${mark}'*) ;; *) PS1='${mark}'$PS1 ;; esac; }
case $(declare -p PROMPT_COMMAND 2>/dev/null) in
  'declare -a'*) PROMPT_COMMAND+=(__partner_mark) ;;
  *) PROMPT_COMMAND="\${PROMPT_COMMAND:+$PROMPT_COMMAND
}__partner_mark" ;;
esac
`;
const zshStart = `[ -f ~/.zshrc ] && . ~/.zshrc
__partner_mark() { case $PROMPT in '${mark}'*) ;; *) PROMPT='${mark}'$PROMPT ;; esac; }
precmd_functions+=(__partner_mark)
`;
const fishStart = `functions -c fish_prompt __partner_prompt; function fish_prompt; echo -n '${mark}'; __partner_prompt; end`;

/**
 * How to mark the prompt of a program that is a shell for a person; undefined for any other program.
 * @param folder a folder for a start file; removed when the shell has ended
 */
export async function markedShell(
  name: string,
  args: readonly string[],
  folder: string,
  files: Files,
): Promise<MarkedShell | undefined> {
  if (args.length > 0) return undefined;
  const shell = posix.basename(name);
  if (shell === "bash") {
    const path = `${folder}/bashrc`;
    await saveText(path, bashStart, files, "TMPDIR");
    return { args: ["--rcfile", path, "-i"], environment: {} };
  }
  if (shell === "zsh") {
    await saveText(`${folder}/.zshrc`, zshStart, files, "TMPDIR");
    return { args: [], environment: { ZDOTDIR: folder } };
  }
  if (shell === "fish") return { args: ["-C", fishStart], environment: {} };
  return ["sh", "dash", "ksh"].includes(shell) ? { args: [], environment: { PS1: `${mark}$ ` } } : undefined;
}
