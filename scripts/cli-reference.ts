import { run } from '../packages/cli/src/dispatch.js';
import { programFor } from '../packages/cli/src/program.js';
import type { Page } from './server-reference.ts';

type Command = ReturnType<typeof programFor>;

/** Returns the page of all commands with the names of their options. The help of each command explains the options. */
export function cliPage(): Page {
  const terminal = { out: () => undefined, err: () => undefined, isInteractive: false };
  const program = programFor(terminal, run);
  const leaves = program.commands.flatMap((command) => (command.commands.length > 0 ? command.commands : [command]));
  const sections = leaves.map((command) => {
    const parent = command.parent === program ? '' : `${command.parent?.name()} `;
    const options = command.options.map(({ flags }) => `\`${flags}\``).join(', ');
    const usage = command.usage().replace('[options]', '').trim();
    const about = `\`coinlab ${parent}${command.name()}${usage === '' ? '' : ` ${usage}`}\`: ${descriptionOf(command)}.`;
    return `## coinlab ${parent}${command.name()}\n\n${about}\n\n${options === '' ? 'No options.' : `- Options: ${options}`}`;
  });
  return {
    title: 'Command line',
    intro: `The commands and the names of their options. \`coinlab COMMAND --help\` explains the arguments, the options with their values and defaults,
and the exit codes, and has examples. Exit codes of every command: 0 success; 1 the run failed; 2 invalid usage or input, nothing ran.
[Twenty tasks](../guides/twenty-tasks.md) shows commands with their output.`,
    body: sections.join('\n\n'),
  };
}

function descriptionOf(command: Command): string {
  const text = command.description();
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`.replace(/\.$/, '');
}
