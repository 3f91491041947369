/* Generates the page of the choices of the ledger API from the table that the server uses. */
import { CHOICES, CREATIONS, type Choice } from '../packages/http/src/index.js';
import type { Page } from './server-reference.ts';

const code = (name: string): string => `\`${name}\``;
const codes = (names: readonly string[]): string => names.map(code).join(', ') || '—';

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

function choiceRow({ name, aliases, isConsuming, argument, commands, kinds }: Choice): readonly string[] {
  const names = [code(name), ...aliases.map((alias) => `or ${code(alias)}`)].join(' ');
  return [names, isConsuming ? 'yes' : 'no', argument.expected, codes(commands), codes(kinds)];
}

export function choicesPage(): Page {
  const targets = [...new Set(CHOICES.map(({ on }) => on))];
  const head = ['Choice', 'Archives', 'Argument', 'Command', 'Update'];
  const sections = targets.map((target) => {
    const choices = CHOICES.filter(({ on }) => on === target);
    return `## ${target.split(':').at(-1) ?? ''}\n\n${code(target)}\n\n${table(head, choices.map(choiceRow))}`;
  });
  const created = CREATIONS.map(({ on, argument, commands, kinds }) => [
    code(on),
    argument.expected,
    codes(commands),
    codes(kinds),
  ]);
  return {
    title: 'Choices',
    intro: `The choices and create commands that \`/v2/commands\` and \`/v2/interactive-submission\` execute, each with its [command](commands.md) of the core and
the [update](updates.md) that it makes. Ids of templates and interfaces match by module and entity, with \`#package-name:\` or a package id before them.
Other choices are refused with \`COMMAND_PREPROCESSING_FAILED\` and the nearest supported name. A submission has one command.

A choice refers to contracts that its submitter cannot see: disclose them, as the registry and scan return them. Archived or undisclosed contracts are refused with
\`CONTRACT_NOT_FOUND\`, and failed checks of a choice with \`DAML_FAILURE\` and the code of the [rejection](rejections.md) in \`context.rejection\`.`,
    body: [`## Create commands\n\n${table(['Template', 'Arguments', 'Command', 'Update'], created)}`, ...sections].join(
      '\n\n',
    ),
  };
}
