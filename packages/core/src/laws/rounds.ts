import { isOneOf } from '@coinlab/collections';
import { issuanceConfig, type IssuanceConfig } from '../contracts/amulet-rules.js';
import { archivedIn, archivedOf } from '../rules/consent.js';
import type { Contract } from '../contracts/contract.js';
import { openRoundsOf } from '../contracts/state.js';
import { refDigits } from '../kernel/shape.js';
import { Instant } from '../kernel/time.js';
import type { Law, Step } from './law.js';
import { createdOf, isKind } from './touched.js';

const PHASES = ['OpenMiningRound', 'SummarizingMiningRound', 'IssuingMiningRound', 'ClosedMiningRound'] as const;

type RoundContract = Extract<Contract, { readonly template: (typeof PHASES)[number] }>;

const FIGURES = [
  'perValidatorRewardCoupon',
  'perFeaturedAppRewardCoupon',
  'perUnfeaturedAppRewardCoupon',
  'perSvRewardCoupon',
  'perValidatorFaucetCoupon',
] as const;

export const roundLaws: readonly Law[] = [
  {
    name: 'three consecutive rounds are open',
    invariant: 41,
    holds: ({ before, update, after }) => {
      const [oldest, middle, newest, ...more] = openRoundsOf(after);
      // Before bootstrap there are none.
      if (!oldest) return openRoundsOf(before).length === 0 && update.kind !== 'RoundsBootstrapped';
      return more.length === 0 && middle?.round === oldest.round + 1 && newest?.round === oldest.round + 2;
    },
  },
  { name: 'a round is in one phase, and its phases follow each other', invariant: 42, holds: movesForward },
  { name: 'a round stays open, and issuing, until its target close', invariant: 42, holds: endsInTime },
  { name: 'a round keeps its price and its figures', invariant: 43, holds: keepsFigures },
  {
    name: 'later rounds open and close later',
    invariant: 44,
    holds: (step) => {
      if (createdOf(step, 'OpenMiningRound').length === 0) return true;
      const rounds = openRoundsOf(step.after);
      return rounds.every((round, i) => {
        const earlier = rounds[i - 1];
        if (!earlier) return true;
        // The first two rounds of a network are usable at once.
        const mayShare = i === 1 && isKind(step, 'RoundsBootstrapped');
        // A round lasts two of its own ticks: with a shorter tick it may close before the round that opened earlier.
        const isShorter = round.tickDuration < earlier.tickDuration;
        return (
          (round.targetClosesAt > earlier.targetClosesAt || isShorter) &&
          (round.opensAt > earlier.opensAt || (mayShare && round.opensAt === earlier.opensAt))
        );
      });
    },
  },
];

function isRound(contract: Contract): contract is RoundContract {
  return isOneOf(PHASES, contract.template);
}

function movesForward(step: Step): boolean {
  const archived = archivedIn(step).filter(isRound);
  const created = step.update.created.filter(isRound);
  const has = (contracts: readonly RoundContract[], phase: number, round: number): boolean =>
    contracts.some((contract) => contract.template === PHASES[phase] && contract.round === round);
  const newest = openRoundsOf(step.before).at(-1)?.round;
  const first = created[0]?.round ?? 0;
  return (
    new Set(created.map(({ round }) => round)).size === created.length &&
    created.every(({ template, round }, i) => {
      const phase = PHASES.indexOf(template);
      if (phase > 0) return has(archived, phase - 1, round);
      return newest === undefined ? round === first + i : round === newest + 1;
    }) &&
    archived.every(({ template, round }) => {
      const phase = PHASES.indexOf(template);
      return phase === PHASES.length - 1 || has(created, phase + 1, round);
    })
  );
}

function endsInTime(step: Step): boolean {
  const { recordTime } = step.update;
  if (archivedOf(step, 'IssuingMiningRound').some(({ targetClosesAt }) => recordTime < targetClosesAt)) return false;
  if (archivedOf(step, 'OpenMiningRound').some(({ targetClosesAt }) => recordTime < targetClosesAt)) return false;
  const [, middle, newest] = openRoundsOf(step.before);
  if (archivedOf(step, 'OpenMiningRound').length === 0 || !middle || !newest) return true;
  return recordTime >= newest.opensAt && recordTime >= Instant.plus(middle.opensAt, middle.tickDuration);
}

function keepsFigures(step: Step): boolean {
  return (
    createdOf(step, 'SummarizingMiningRound').every((next) =>
      archivedOf(step, 'OpenMiningRound').some(
        (open) =>
          open.round === next.round &&
          open.amuletPrice === next.amuletPrice &&
          open.tickDuration === next.tickDuration &&
          isSame(open.issuanceConfig, next.issuanceConfig),
      ),
    ) &&
    createdOf(step, 'ClosedMiningRound').every((next) =>
      archivedOf(step, 'IssuingMiningRound').some(
        (issuing) => issuing.round === next.round && FIGURES.every((figure) => issuing[figure] === next[figure]),
      ),
    )
  );
}

function isSame(a: IssuanceConfig, b: IssuanceConfig): boolean {
  const text = (config: IssuanceConfig): string => issuanceConfig.print(config, refDigits);
  return a === b || text(a) === text(b);
}
