import {
  brokenLaws,
  Engine,
  PartyId,
  PROFILE_NAMES,
  type Contract,
  type ContractId,
  type Step,
  type TemplateName,
  type Update,
} from '@coinlab/core';
import { findAny, scanContracts } from '@coinlab/core/views';
import { recordedSteps } from './recorded.js';

/*
 * Forged updates: an honest one with one thing in it changed, as a rule with a fault in one place would have written it. The forger
 * knows nothing of what updates mean: it leaves things out, does them twice, moves the time to every instant that is named, and
 * changes field after field by the least that its form allows.
 */

export interface Forgery {
  /** Description of the change: `created Holding.amount 2`. */
  readonly name: string;
  readonly step: Step;
}

const stranger = PartyId.of('stranger');

let all: readonly Forgery[] | undefined;

/** Of each kind of update the first in the recorded log of each profile, forged. Made when it is first asked for. */
export function recordedForgeries(): readonly Forgery[] {
  return (all ??= PROFILE_NAMES.flatMap((profile) => {
    const first = new Map(
      recordedSteps(profile)
        .map((step) => [step.update.kind, step] as const)
        .reverse(),
    );
    first.delete('LedgerOpened');
    return [...first.values()].flatMap(forgeriesOf);
  }));
}

/** Everything that is tried with one honest step, which is not the first of a log. */
export function forgeriesOf(step: Step): readonly Forgery[] {
  return changesOf(step)
    .map(([name, change]) => ({ name, step: leading(step, { ...step.update, ...change } as Update) }))
    .filter(({ step: forged }) => isReadable(forged));
}

/** Whether laws can be asked at all: the operations of a batch are applied before, and some that are forged cannot be. */
function isReadable(step: Step): boolean {
  try {
    return brokenLaws([], step).length === 0;
  } catch {
    return false;
  }
}

type Change = readonly [name: string, change: Partial<Record<keyof Update, unknown>>];

function changesOf(step: Step): readonly Change[] {
  const { archived, created, actAs, detail } = step.update;
  const changes: Change[] = [
    ['no party acts', { actAs: [] }],
    ['a stranger acts', { actAs: [stranger] }],
    ...actAs.map((party): Change => [`without ${party}`, { actAs: actAs.filter((other) => other !== party) }]),
    ...timesOf(step).map((time): Change => [`at ${time - step.update.recordTime}`, { recordTime: time }]),
  ];
  archived.forEach((id, i) => {
    changes.push([`keeps ${i}`, { archived: archived.filter((other) => other !== id) }]);
  });
  if (archived.length > 0) changes.push(['archives twice', { archived: [...archived, archived[0]] }]);
  for (const contract of bystandersOf(step))
    changes.push([`archives a ${contract.template}`, { archived: [...archived, contract.id] }]);
  const next = step.after.nextContract as ContractId;
  created.forEach((contract, i) => {
    const as = (other: unknown): readonly unknown[] => created.map((each, j) => (i === j ? other : each));
    const name = `created ${contract.template}`;
    changes.push([`${name} left out`, { created: created.filter((each) => each !== contract) }]);
    changes.push([`${name} twice`, { created: [...created, { ...contract, id: next }] }]);
    for (const [field, value] of otherValues(contract, 3)) changes.push([`${name}${field}`, { created: as(value) }]);
  });
  for (const [field, value] of otherValues(detail, 3)) changes.push([`detail${field}`, { detail: value }]);
  return changes;
}

/** The forged update with the state it leads to; what cannot be applied leaves the honest one. */
function leading(step: Step, update: Update): Step {
  const engine = new Engine({}, step.before);
  try {
    engine.apply(update);
    return { before: step.before, update, after: engine.state };
  } catch {
    return { before: step.before, update, after: step.after };
  }
}

/** The first and the last active contract of each template that the step leaves alone. */
function bystandersOf({ before, update }: Step): readonly Contract[] {
  const first = new Map<TemplateName, Contract>();
  const last = new Map<TemplateName, Contract>();
  for (const contract of scanContracts(before)) {
    if (update.archived.includes(contract.id)) continue;
    if (!first.has(contract.template)) first.set(contract.template, contract);
    last.set(contract.template, contract);
  }
  return [...new Set([...first.values(), ...last.values()])];
}

/** Every instant near now that is named by what a step touches, a microsecond before and after it, and long before and after all. */
function timesOf({ before, update }: Step): readonly bigint[] {
  const century = 36_525n * 86_400_000_000n;
  const named = new Set<bigint>([update.recordTime + 3_600_000_000n, update.recordTime + century]);
  const add = (value: unknown): void => {
    if (typeof value === 'bigint' && value > update.recordTime - century && value < update.recordTime + century)
      for (const by of [-1n, 0n, 1n]) named.add(value + by);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(add);
  };
  add(update);
  for (const id of update.archived) add(findAny(before, id));
  return [...named].sort((a, b) => (a < b ? -1 : 1));
}

/** A value with one thing in it changed, for each thing and each least change: the place, and the whole value. */
function otherValues(value: unknown, depth: number): readonly (readonly [string, unknown])[] {
  if (typeof value === 'bigint')
    return [value + 1n, value - 1n, value * 2n + 10n ** 10n].map((other) => [` ${other - value}`, other]);
  if (typeof value === 'number')
    return [value + 1, value - 1, value + 1000].map((other) => [` ${other - value}`, other]);
  if (typeof value === 'boolean') return [[' other', !value]];
  if (typeof value === 'string') return [[' stranger', stranger]];
  if (Array.isArray(value)) {
    const rows: readonly unknown[] = value;
    const inside = rows
      .slice(0, 3)
      .flatMap((item, i) =>
        depth === 0
          ? []
          : otherValues(item, depth - 1).map(
              ([name, other]) => [`[${i}]${name}`, rows.map((each, j) => (i === j ? other : each))] as const,
            ),
      );
    return rows.length === 0 ? [] : [[' shorter', rows.slice(1)], [' longer', [...rows, rows[0]]], ...inside];
  }
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.entries(value).flatMap(([field, old]) => {
    const others: readonly (readonly [string, unknown])[] = field === 'template' ? [] : otherValues(old, depth - 1);
    const without: readonly (readonly [string, unknown])[] = field === 'lock' && old !== null ? [[' null', null]] : [];
    return [...without, ...others].map(([name, other]) => [`.${field}${name}`, { ...value, [field]: other }] as const);
  });
}
