/*
 * Generates docs/reference: fields and formats from the shapes, meanings from the docstrings.
 */
import { SCHEMAS } from '../packages/cli/src/run/schema-command.js';
import prettier from 'prettier';
import type ts from 'typescript-api';
import { TEMPLATES, TEMPLATE_NAMES } from '../packages/core/src/contracts/contract.js';
import { REJECTION_CODES, REJECTIONS } from '../packages/core/src/kernel/rejection.js';
import type { Shape } from '../packages/core/src/kernel/shape.js';
import { COMMANDS, type CommandInfo } from '../packages/core/src/register/outcomes.js';
import { WORKFLOWS } from '../packages/core/src/register/register.js';
import { EARLY_REFUSALS } from '../packages/core/src/rules/refusal-groups.js';
import { OPERATION_TYPES } from '../packages/core/src/workflows/batch/operations.js';
import { CoreSource, root, type Declared } from './core-source.ts';
import { apiPages } from './api-reference.ts';
import { labPages } from './lab-reference.ts';
import { lifeCyclePage } from './life-cycle-reference.ts';
import { wrappedItem } from './schema-table.ts';
import { cliPage } from './cli-reference.ts';
import { choicesPage } from './choices-reference.ts';
import { endpointsPage, settingsPage, type Page } from './server-reference.ts';

type AnyShape = Shape<unknown>;

interface Registered {
  readonly commands: Readonly<Record<string, AnyShape>>;
  readonly updates: Readonly<Record<string, { readonly detail: AnyShape }>>;
}

interface Explained {
  readonly about: string;
  readonly fields: string;
}

const folder = 'docs/reference';
const source = new CoreSource();
const registered: Readonly<Record<string, Registered>> = WORKFLOWS;
const outcomes: Readonly<Record<string, CommandInfo>> = COMMANDS;
const workflows = source.workflows();
const commandTypes = source.commands();
const detailTypes = source.details();
const records = new Map<string, Explained>();

/** Links to commands, by their list of fields. */
const fieldsOfCommand = new Map<string, string>();

/** Values whose fields other pages have. */
const ELSEWHERE: { readonly [name: string]: (variants: NonNullable<AnyShape['variants']>) => string } = {
  Contract: () => 'The variants are the [contracts](contracts.md), with their fields.',
  BatchOperation: (variants) =>
    `The fields are those of the command:\n\n${Object.entries(variants)
      .map(
        ([name, { fields = {} }]) =>
          `- [${name}](commands.md#${name.toLowerCase()}): ${codeList(Object.keys(fields)) || 'none'}`,
      )
      .join('\n')}`,
};

/** Long lists of words that other pages explain, as the shapes have them. */
const LISTS: ReadonlyMap<string, string> = new Map([
  [`one of ${REJECTION_CODES.join(', ')}`, 'a [rejection code](rejections.md)'],
  [`one of ${OPERATION_TYPES.join(', ')}`, 'type of a [BatchOperation](#batchoperation)'],
]);

/** Missing docstrings, and examples that fail. */
export const gaps: string[] = [];

const lifeCycles = lifeCyclePage((gap) => void gaps.push(gap));
const pages: Record<string, string> = {
  'commands.md': commandsPage(),
  'updates.md': updatesPage(),
  'contracts.md': contractsPage(),
  'rejections.md': rejectionsPage(),
  // Last, because the pages before it collect the records that it explains.
  'values.md': valuesPage(),
  'life-cycles.md': page(lifeCycles.title, lifeCycles.intro, lifeCycles.body),
  'choices.md': serverPage(choicesPage()),
  'endpoints.md': serverPage(await endpointsPage()),
  'server-settings.md': serverPage(settingsPage((gap) => void gaps.push(gap))),
};
for (const [name, lab] of Object.entries(labPages((gap) => void gaps.push(gap))))
  pages[name] = page(lab.title, lab.intro, lab.body, 'sim');
for (const [name, api] of Object.entries(await apiPages((gap) => void gaps.push(gap)))) pages[name] = serverPage(api);

const cli = cliPage();
pages['cli.md'] = page(cli.title, cli.intro, cli.body, 'cli');

const options = await prettier.resolveConfig(`${root}${folder}/commands.md`);
const formatted = Object.entries(pages).map(async ([name, text]): Promise<[string, string]> => {
  return [`${folder}/${name}`, await prettier.format(brokenAtSentences(text), { ...options, parser: 'markdown' })];
});

const schemas = Object.entries(SCHEMAS).map(async ([name, schemaOf]): Promise<[string, string]> => {
  const text = await prettier.format(JSON.stringify(schemaOf()), { ...options, parser: 'json' });
  return [`packages/cli/schemas/${name}.json`, text];
});

/** The pages, and the schemas for editors, by path from the root of the repository. */
export const referencePages: ReadonlyMap<string, string> = new Map(await Promise.all([...formatted, ...schemas]));

function commandsPage(): string {
  const sections = workflows.map((workflow) => {
    const shapes = registered[workflow.name]?.commands ?? {};
    const isOne = Object.keys(shapes).length === 1;
    const commands = Object.entries(shapes).map(([type, shape]) => {
      const command = commandTypes.get(type);
      const outcome = outcomes[type];
      if (!command || !outcome) throw new Error(`register: ${type} is no part of Command`);
      const about = plain(command.about);
      if (!/\bActs?\b/i.test(`${about} ${isOne ? plain(workflow.about) : ''}`))
        gaps.push(`${workflow.path}: the docstring of ${type} does not say who acts`);
      const text = about === plain(workflow.about) ? '' : about;
      const fields = fieldList(shape, command.type);
      fieldsOfCommand.set(fields, `The fields of [${type}](commands.md#${type.toLowerCase()}).`);
      return `### ${type}\n\n${text}\n\n${fields}\n\n${outcomeList(outcome)}`;
    });
    return `## ${workflow.name}\n\n${plain(workflow.about)}\n\n${commands.join('\n\n')}`;
  });
  return page(
    'Commands',
    `The commands of the ledger, by workflow. A command is a JSON object with \`type\` and the fields below; \`name?\` may be left out.
\`parseCommand\` reads a command and \`formatCommand\` writes it. See also [values](values.md), [updates](updates.md) and [rejections](rejections.md).

Each command lists the updates that it can become, with the sections of the specification, and its refusals. Refusals are in order of precedence: if several apply, the first one is returned.
${codeList(EARLY_REFUSALS)} can refuse any command. \`TIME_IN_PAST\` comes first, then \`NOT_BOOTSTRAPPED\` on a ledger that is not open.
\`COMMANDS\` of \`@coinlab/core/workflows\` has the same lists in code.`,
    sections.join('\n\n'),
  );
}

function outcomeList({ becomes, refusals, source: sections, carries }: CommandInfo): string {
  const carried = carries ? ', then those of the commands that it carries' : '';
  return [
    `- Becomes: ${becomes.length > 0 ? codeList(becomes) : 'the update of the command that it carries'} (${sections})`,
    `- Refusals: ${codeList(refusals)}${carried}`,
  ].join('\n');
}

/** Paragraphs with a sentence on each line, of at most 160 characters; tables, lists and code stay as they are. */
function brokenAtSentences(text: string): string {
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : part.split('\n\n').map(paragraph).join('\n\n')))
    .join('');
}

function paragraph(text: string): string {
  if (!/^[A-Z`]/.test(text)) return text;
  return text
    .replaceAll('\n', ' ')
    .replaceAll(/(?<=[a-z0-9`)\]]\.) (?=[A-Z`[])/g, '\n')
    .replaceAll(/(.{120,159}) /g, '$1\n');
}

function codeList(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function updatesPage(): string {
  const telling = workflows.filter(({ name }) => Object.keys(registered[name]?.updates ?? {}).length > 0);
  const sections = telling.map((workflow) => {
    const groups = new Map<string, string[]>();
    for (const [kind, { detail: shape }] of Object.entries(registered[workflow.name]?.updates ?? {})) {
      const detail = detailTypes.get(kind);
      if (!detail) throw new Error(`register: ${kind} is no part of UpdateDetails`);
      const named = source.nameOf(detail.type);
      const about = detail.about || (named?.name === 'ValueDetail' ? '' : (named?.about ?? ''));
      const text = `${plain(about)}\n\n${fieldList(shape, detail.type, ['minted', 'burned'])}`;
      groups.set(text, [...(groups.get(text) ?? []), kind]);
    }
    const kinds = [...groups].map(([text, names]) => `### ${names.join(', ')}\n\n${text}`);
    return `## ${workflow.name}\n\n${kinds.join('\n\n')}`;
  });
  return page(
    'Updates',
    `Updates are the events of the log. All have one shape, and replay uses only \`archived\` and \`created\`.

| Field | Value | Meaning |
| --- | --- | --- |
| \`v\` | whole number | version of the log format, in the written line only |
| \`offset\` | whole number | position in the log, dense from 1 |
| \`updateId\` | ULID | its time is the ledger time |
| \`recordTime\` | UTC time | ledger time; never decreases along the log |
| \`kind\` | text | one of the kinds below |
| \`actAs\` | list of party id | the parties that authorised it |
| \`archived\` | list of contract number | in order of consumption |
| \`created\` | list of contract | complete [contracts](contracts.md), in order of their numbers |
| \`detail\` | record | further fields, by kind |

Every detail has \`minted\` and \`burned\` (decimal text), and \`Σ created − Σ archived = minted − burned\` holds for every update.
The lists below leave these two out.`,
    sections.join('\n\n'),
  );
}

function contractsPage(): string {
  const sources = source.templates();
  const order: readonly string[] = [...sources.keys()];
  const orderOf = (name: string): number => order.indexOf(name);
  const names = TEMPLATE_NAMES.toSorted((a, b) => orderOf(a) - orderOf(b));
  const sections = names.map((name) => {
    const template = sources.get(name);
    if (!template) throw new Error(`no template ${name} in contracts/templates.ts`);
    if (!plain(template.about)) gaps.push(`${template.path}: ${name} has no docstring`);
    const shape = { fields: TEMPLATES[name].fields } as unknown as AnyShape;
    const facts = [
      ['Signatories', template.signatories],
      ['Observers', template.observers],
      ['Due at', template.dueAt],
      ['Keys', ofCoupon(template.keys)],
    ]
      .map(([fact, text]) => [fact, listed(text ?? '')])
      .filter(([, text]) => text !== '');
    const { subject } = TEMPLATES[name];
    if (subject) facts.push(['Subject', `\`${subject}:{${subject}}\``]);
    const isRecord = TEMPLATES[name].isRecord ?? false;
    return [
      `## ${name}`,
      `${plain(template.about)}${isRecord && !/record/i.test(template.about) ? ' A record, not a contract of the network.' : ''}`,
      fieldList(shape, template.type),
      isRecord ? '' : facts.map(([fact, text]) => `- ${fact}: ${text}`).join('\n'),
    ].join('\n\n');
  });
  return page(
    'Contracts',
    `The contracts of the ledger. Each has an \`id\` (contract number), a \`template\` and the fields below, written as in [values](values.md).
A contract has no \`dso\` field, because a ledger has one DSO ([ADR 0005](../adr/0005-contracts-carry-no-dso.md)).
Signatories, observers, due time and lookup keys are quoted from the source. The subject is a lookup key too.

Records are data that the network does not have as contracts, in the same table ([ADR 0003](../adr/0003-records-in-the-contract-table.md)).
Lists of active contracts leave them out.`,
    sections.join('\n\n'),
  );
}

function rejectionsPage(): string {
  const declared = new Map(source.rejections().map(({ code, fields }) => [code, fields]));
  const rows = REJECTION_CODES.map((code) => {
    const carries = (declared.get(code) ?? []).map(({ name, type }) => `\`${name}: ${type}\``);
    return [`\`${code}\``, REJECTIONS[code].meaning, REJECTIONS[code].retry, carries.join('<br>')];
  });
  return page(
    'Rejections',
    `The reasons for which a command is refused. A refusal is a value (\`Result\`) with both sides of the broken condition, and appends nothing to the log.
\`REJECTIONS\` has the meanings in code.

\`Retry\` shows whether a retry can succeed:

- \`later\`: the same command can succeed after some time, or after another party has acted.
- \`refreshed\`: the command can succeed with fresh data: other inputs, the current time, the next nonce.
- \`never\`: the caller must change the command or its authority.

[Commands](commands.md) list their refusals in order of precedence.`,
    table(['Code', 'Meaning', 'Retry', 'Carries'], rows),
  );
}

function valuesPage(): string {
  const sections = [...records]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { about, fields }]) => `## ${name}\n\n${about}\n\n${fieldsOfCommand.get(fields) ?? fields}`);
  return page(
    'Values',
    `The JSON format of values in commands and in the log.

| Value | JSON | Example |
| --- | --- | --- |
| decimal text | text: sign, 1 to 28 digits, up to 10 places; written with 10. Coin, USD, prices and rates | \`"100.0000000000"\` |
| party id | text \`hint::fingerprint\`, with a fingerprint of 1220 and 64 hex digits | \`"alice::1220…"\` |
| contract number | whole number from 1. APIs show it as 138 hex characters | \`17\` |
| UTC time | text, RFC 3339 in UTC, microseconds | \`"2026-01-01T00:10:00.000000Z"\` |
| microseconds as text | duration | \`"600000000"\` |
| round number | whole number from 0; a text of digits is accepted too | \`7\` |
| whole number | a number that is exact as a double | \`100\` |
| text, true or false, null | as in JSON | \`"reason"\` |
| map of … | object with any keys, in order | \`{"reason": "rent"}\` |

An unknown field is refused. A field \`name?\` may be left out, in commands only: an update has every field.
The records below are parts of commands, updates and contracts.`,
    sections.join('\n\n'),
  );
}

function fieldList(shape: AnyShape, type: ts.Type, hidden: readonly string[] = []): string {
  const declared = source.propertiesOf(type);
  // Fields that need no explanation share an item if they have one form.
  const items = new Map<string, string[]>();
  for (const [name, field] of Object.entries(shape.fields ?? {})) {
    if (hidden.includes(name)) continue;
    const property = declared.get(name);
    const about = plain(property?.about ?? '');
    const form = property ? formOf(field, property) : field.expected;
    const text = `${form.replace(/, or left out$/, '')}${about && `. ${about}`}`;
    items.set(text, [...(items.get(text) ?? []), form.endsWith(', or left out') ? `${name}?` : name]);
  }
  if (items.size === 0) return hidden.length > 0 ? 'No more fields.' : 'No fields.';
  return [...items].map(([text, names]) => wrappedItem(`- ${codeList(names)}: ${text}`)).join('\n');
}

/** The format of a shape in words; a named record becomes a link to the page of values. */
function formOf(shape: AnyShape, declared: Declared): string {
  const { inner } = shape;
  if (inner)
    return shape.expected.replace(inner.expected, () =>
      formOf(inner, { ...declared, type: source.innerOf(declared.type) }),
    );
  if (!shape.fields && !shape.variants) return LISTS.get(shape.expected) ?? shape.expected;
  const named = source.nameOf(source.innerOf(declared.type));
  if (!named) return shape.expected;
  addRecord(named, shape, source.innerOf(declared.type));
  return `[${named.name}](values.md#${named.name.toLowerCase()})`;
}

function addRecord({ name, about }: { name: string; about: string }, shape: AnyShape, type: ts.Type): void {
  if (records.has(name)) return;
  records.set(name, { about: '', fields: '' });
  const fields = shape.variants
    ? (ELSEWHERE[name] ?? ((variants) => variantTables(variants, type)))(shape.variants)
    : fieldList(shape, type);
  records.set(name, { about: plain(about), fields });
}

function variantTables(variants: NonNullable<AnyShape['variants']>, type: ts.Type): string {
  const types = type.isUnion() ? type.types : [type];
  const tags = new Set<string>();
  const sections = Object.entries(variants).map(([word, shape]) => {
    const tagIn = (candidate: ts.Type): string | undefined =>
      [...source.propertiesOf(candidate)].find(([, { type: own }]) => own.isStringLiteral() && own.value === word)?.[0];
    const variant = types.find(tagIn);
    const about = variant ? plain(source.nameOf(variant)?.about ?? '') : '';
    const tag = (variant && tagIn(variant)) ?? 'type';
    tags.add(tag);
    return `### ${word}\n\n${about}\n\n${fieldList(shape, variant ?? type)}`;
  });
  return `${codeList([...tags])} is the name of the variant.\n\n${sections.join('\n\n')}`;
}

function serverPage({ title, intro, body }: Page): string {
  return page(title, intro, body, 'http');
}

function page(title: string, intro: string, body: string, from = 'core'): string {
  return `<!-- Written by \`npm run reference\` from packages/${from}/src. Change it there. -->\n\n# ${title}\n\n${intro}\n\n${body}\n`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = heads.map((_, column) => rows.some((cells) => cells[column] !== ''));
  const line = (cells: readonly string[]): string => {
    const texts = cells.filter((_, column) => used[column]).map((cell) => cell.replaceAll('|', '\\|'));
    return `| ${texts.join(' | ')} |`;
  };
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A docstring without its sources; links to other names become plain names, assumptions become links. */
function plain(about: string): string {
  const assumptions = [...new Set(about.match(/\bA-\d\d\b/g) ?? [])];
  const text = about
    .replace(/\s*\bSource:[\s\S]*$/, '')
    .replace(/\s*\bAssumptions?:[\s\S]*$/, '')
    .replaceAll(/\{@link\s+([^}]+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const see = assumptions.map((number) => `[${number}](../assumptions.md)`).join(', ');
  return see ? `${text} See ${see}.`.trim() : text;
}

/** Returns the keys of a coupon written out: their source is a call of a function with a cache. */
function ofCoupon(keys: string): string {
  const account = /^couponKeys\((.*), round, recent\)$/.exec(keys)?.[1];
  return account === undefined ? keys : `[round:{round}, coupons:{round % 16}:{${account}}]`;
}

/** An expression of a template as text: simple lists as words, everything else as code. */
function listed(text: string): string {
  if (text === '' || text === 'none' || text === '[]' || text === 'null') return '';
  const inside = /^\[([^[\]]*)\]$/.exec(text)?.[1];
  const items = inside?.split(/, (?![^(]*\))/).map((item) => item.replace(/^\.\.\./, '').replaceAll(/`|\$(?=\{)/g, ''));
  return (items ?? [text]).map((item) => (item.includes('`') ? `\`\` ${item} \`\`` : `\`${item}\``)).join(', ');
}
