import { run } from '../packages/cli/src/dispatch.js';
import { programFor } from '../packages/cli/src/program.js';
import type { Page } from './server-reference.ts';

type Command = ReturnType<typeof programFor>;

export function cliPage(): Page {
  let printed = '';
  const terminal = { out: (text: string) => void (printed += text), err: () => undefined, isInteractive: false };
  const program = programFor(terminal, run);
  const helpOf = (command: Command): string => {
    printed = '';
    command.configureHelp({ helpWidth: 120 }).outputHelp();
    return printed.trim();
  };
  const leaves = program.commands.flatMap((command) => (command.commands.length > 0 ? command.commands : [command]));
  const sections = leaves.map((command) => {
    const parent = command.parent === program ? '' : `${command.parent?.name()} `;
    return `## coinlab ${parent}${command.name()}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\``;
  });
  const intro = 'The help texts of all commands, as `coinlab <command> --help` prints them in a wide terminal.';
  return { title: 'Command line', intro, body: sections.join('\n\n') };
}
