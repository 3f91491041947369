import { type Contract, type LedgerState, PartyId, type ContractId, codec } from '@coinlab/core';
import { contractShape, refDigits } from '@coinlab/core/workflows';
import { scanContracts } from '@coinlab/core/views';
import { describeSubmission } from '../generator/commands.js';
import type { Finding, RunStory } from './finding.js';
import { totalOf } from './totals.js';
import { shortUnits } from '../units.js';

/** Returns a run as text: its commands, the finding, and the state before and after the last command. */
export function tellStory(story: RunStory): string {
  const { steps, finding, before, after } = story;
  return [
    ...(finding ? [`✗ ${describeFinding(finding)}`] : ['✓ nothing is wrong']),
    ...steps.map(({ submission, outcome }, i) => `  ${i + 1}. ${describeSubmission(submission)} → ${outcome}`),
    ...(finding
      ? ['  what the last command changed', ...changesOf(before, after.state).map((line) => `    ${line}`)]
      : []),
  ].join('\n');
}

export function describeFinding({ by, what, invariant }: Finding): string {
  return `${by}: ${cut(what)}${invariant === null ? '' : ` (invariant ${invariant})`}`;
}

/** Returns the log of a run, one update per line, in the format that `replay` of the core reads. */
export function logOf({ after }: RunStory): string {
  return after
    .updates()
    .map((update) => `${codec.encode(update)}\n`)
    .join('');
}

function changesOf(before: LedgerState, after: LedgerState): readonly string[] {
  const [was, is] = [contractsIn(before), contractsIn(after)];
  const gone = [...was.values()].filter(({ id }) => !is.has(id));
  const come = [...is.values()].filter(({ id }) => !was.has(id));
  const owners = new Set([...gone, ...come].flatMap((one) => (one.template === 'Holding' ? [one.owner] : [])));
  const balances = [...owners].sort().map((party) => {
    const [from, to] = [before, after].map((state) => shortUnits(totalOf(state, party)));
    return `${PartyId.hint(party)} owns ${from} → ${to}`;
  });
  const lines = [...balances, ...gone.map((one) => `- ${lineOf(one)}`), ...come.map((one) => `+ ${lineOf(one)}`)];
  return lines.length === 0 ? ['nothing'] : lines.slice(0, MOST_LINES);
}

const MOST_LINES = 40;

function contractsIn(state: LedgerState): ReadonlyMap<ContractId, Contract> {
  return new Map([...scanContracts(state)].map((contract) => [contract.id, contract]));
}

function lineOf(contract: Contract): string {
  // `contractShape` prints every contract as an object.
  const json = JSON.parse(contractShape.print(contract, refDigits)) as { id: unknown; template: string };
  const { id, template, ...fields } = json;
  return cut(`#${String(id)} ${template} ${JSON.stringify(fields)}`);
}

function cut(text: string): string {
  return text.replaceAll(/::1220[0-9a-f]{64}/g, '');
}
