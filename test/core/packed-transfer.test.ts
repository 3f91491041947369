import {
  Amount,
  ContractId,
  Duration,
  holdingsOf,
  Instant,
  PROFILE_NAMES,
  type Command,
  type Context,
  type LedgerState,
  type PartyId,
} from '@coinlab/core';
import { firstByKey, lockedHoldingsOf } from '@coinlab/core/views';
import { featuredRightOf, preapprovalOf } from '@coinlab/core/rules';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { alice, bob, dso, provider } from './ledger-fixture.ts';
import { founded, PARTIES, type World } from './packed-shells.ts';
import { runs } from '../chance.ts';

interface Step {
  readonly what: 'direct' | 'pay' | 'self' | 'merge' | 'tap' | 'offer' | 'round' | 'feature' | 'preapprove' | 'cancel';
  readonly from: number;
  readonly to: number;
  /** Which of the coins go in: bits. */
  readonly coins: number;
  readonly oddity: 'none' | 'twice' | 'of another' | 'unknown' | 'locked' | 'no coin';
  readonly amount: 'all' | 'part' | 'too much' | 'nothing' | 'less than nothing' | 'huge';
  readonly actors: 'sender' | 'receiver' | 'both' | 'nobody';
  readonly later: number;
  readonly says: 'nothing' | 'meta' | 'reason' | 'deadline' | 'past deadline' | 'future request' | 'coin' | 'admin';
  readonly consent: 'in force' | 'left out' | 'of another' | 'gone';
}

const mostly = <T extends string>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.oneof(
    { weight: 16, arbitrary: fc.constantFrom<Step['what'][]>('direct', 'direct', 'pay', 'self', 'merge') },
    { weight: 6, arbitrary: fc.constant<Step['what']>('tap') },
    { weight: 2, arbitrary: fc.constantFrom<Step['what'][]>('offer', 'round') },
    { weight: 1, arbitrary: fc.constantFrom<Step['what'][]>('feature', 'preapprove', 'cancel') },
  ),
  from: fc.nat(2),
  to: fc.nat(2),
  coins: fc.integer({ min: 1, max: 2 ** 31 }),
  oddity: mostly<Step['oddity']>('none', 'twice', 'of another', 'unknown', 'locked', 'no coin'),
  amount: fc.oneof(
    { weight: 8, arbitrary: fc.constant<Step['amount']>('part') },
    { weight: 2, arbitrary: fc.constant<Step['amount']>('all') },
    { weight: 1, arbitrary: fc.constantFrom<Step['amount'][]>('too much', 'nothing', 'less than nothing', 'huge') },
  ),
  actors: mostly<Step['actors']>('sender', 'receiver', 'both', 'nobody'),
  later: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 400 }) },
    { weight: 1, arbitrary: fc.constant(-1) },
  ),
  says: mostly<Step['says']>(
    'nothing',
    'meta',
    'reason',
    'deadline',
    'past deadline',
    'future request',
    'coin',
    'admin',
  ),
  consent: mostly<Step['consent']>('in force', 'left out', 'of another', 'gone'),
});

function commandOf(step: Step, state: LedgerState): { readonly command: Command; readonly context: Context } {
  const sender = PARTIES[step.from] as PartyId;
  const receiver = step.what === 'direct' || step.what === 'pay' ? (PARTIES[step.to] as PartyId) : sender;
  const now = Instant.plus(state.time, Duration.seconds(step.later));
  const own = [...holdingsOf(state, sender, step.coins % 2 === 0 ? 'oldest' : 'smallest')];
  const chosen = own.filter((_, i) => (step.coins >> (i % 31)) & 1);
  const inputs = withOddity(
    chosen.map(({ id }) => id),
    step,
    state,
  );
  const worth = Amount.sum(chosen.map(({ amount }) => amount));
  const amount = {
    all: worth,
    part: Amount.max2(((worth * BigInt(1 + (step.coins % 97))) / 100n) as Amount, Amount.unit),
    'too much': Amount.add(worth, Amount.unit),
    nothing: Amount.zero,
    'less than nothing': Amount.of('-1'),
    huge: Amount.ofUnits(2n ** 60n),
  }[step.amount];
  const actAs = { sender: [sender], receiver: [receiver, bob], both: [sender, dso], nobody: [] }[step.actors];
  const context = { now, actAs };
  const says = {
    nothing: {},
    meta: { meta: {} },
    reason: { meta: { reason: 'rent' } },
    deadline: { executeBefore: Instant.plus(now, Duration.hours(1)) },
    'past deadline': { executeBefore: now },
    'future request': { requestedAt: Instant.plus(now, Duration.hours(1)) },
    coin: { instrument: { admin: dso, id: 'Amulet' } },
    admin: { expectedAdmin: alice },
  }[step.says];
  switch (step.what) {
    case 'pay':
    case 'direct': {
      const inForce = firstByKey(state, 'TransferPreapproval', `receiver:${receiver}`)?.id;
      const others = preapprovalOf(state, PARTIES[(step.to + 1) % 3] as PartyId, now)?.id;
      const preapproval = { 'in force': inForce, 'left out': undefined, 'of another': others, gone: 1 as ContractId }[
        step.consent
      ];
      return {
        command: {
          type: 'DirectTransfer',
          sender,
          receiver,
          amount,
          inputs,
          ...says,
          ...(preapproval === undefined ? {} : { preapproval }),
        },
        context,
      };
    }
    case 'self':
      return { command: { type: 'SelfTransfer', sender, amount, inputs, ...says }, context };
    case 'merge':
      return { command: { type: 'MergeHoldings', owner: sender, inputs }, context };
    case 'tap': {
      const large = step.amount === 'huge' ? 2n ** 55n : step.amount === 'all' ? 2n ** 53n - 1n : BigInt(step.coins);
      return {
        command: { type: 'Tap', receiver: sender, amount: Amount.ofUnits(large) },
        context: { now, actAs: [sender] },
      };
    }
    case 'offer':
      return {
        command: {
          type: 'CreateOffer',
          sender,
          receiver: bob,
          amount,
          inputs,
          executeBefore: Instant.plus(now, Duration.minutes(5)),
        },
        context,
      };
    case 'round':
      return {
        command: { type: 'AdvanceOpenRounds', amuletPrice: Amount.of(step.coins % 3 === 0 ? '0.005' : '0.01') },
        context: { now: Instant.plus(state.time, Duration.minutes(20)), actAs: [dso] },
      };
    case 'feature': {
      const app = [sender, provider, dso][step.coins % 3] as PartyId;
      const right = featuredRightOf(state, app)?.id;
      const command: Command = right
        ? { type: 'WithdrawFeaturedAppRight', right, reason: 'over' }
        : { type: 'GrantFeaturedAppRight', provider: app };
      return { command, context: { now, actAs: [dso] } };
    }
    case 'preapprove': {
      const host = [provider, provider, dso, sender][step.coins % 4] as PartyId;
      return {
        command: {
          type: 'CreatePreapproval',
          receiver: sender,
          provider: host,
          expiresAt: Instant.plus(now, Duration.minutes(1 + (step.coins % 40))),
          inputs: [],
        },
        context: { now, actAs: [sender, host] },
      };
    }
    case 'cancel': {
      const preapproval = preapprovalOf(state, sender, now)?.id ?? (1 as ContractId);
      return { command: { type: 'CancelPreapproval', preapproval }, context: { now, actAs: [sender] } };
    }
  }
}

function withOddity(inputs: readonly ContractId[], { oddity, from }: Step, state: LedgerState): readonly ContractId[] {
  const other = PARTIES[(from + 1) % 3] as PartyId;
  switch (oddity) {
    case 'none':
      return inputs;
    case 'twice':
      return [...inputs, ...inputs.slice(0, 1)];
    case 'of another':
      return [...inputs, ...[...holdingsOf(state, other, 'newest')].slice(0, 1).map(({ id }) => id)];
    case 'unknown':
      return [...inputs, ContractId.of(state.nextContract + 3)];
    case 'locked':
      return [...inputs, ...[...lockedHoldingsOf(state, PARTIES[from] as PartyId)].slice(0, 1).map(({ id }) => id)];
    case 'no coin':
      return [ContractId.of(1), ...inputs];
  }
}

const WORLDS = [
  ...PROFILE_NAMES.map((profile) => ({ profile, config: profile })),
  // Rules and prices that do not belong together: each must be looked at.
  { profile: 'feeless', config: 'feeless', rules: { chargesHoldingFee: true } },
  { profile: 'feeless', config: 'legacy-fees' },
] as const satisfies readonly World[];

describe.each(WORLDS)('in the profile $profile with the fees of $config $rules', (world: World) => {
  it('a packed transfer and the same transfer by the rules give equal updates, logs, states and refusals', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const shells = founded(world);
        for (const step of steps) {
          const { command, context } = commandOf(step, shells.state);
          const units = 'amount' in command && typeof command.amount === 'bigint' ? Number(command.amount) : 0;
          if (step.what === 'pay' && Number.isSafeInteger(units))
            shells.pay(PARTIES[step.from] as PartyId, PARTIES[step.to] as PartyId, units, context.now);
          else shells.submit(command, context);
        }
        shells.agree();
      }),
      { numRuns: runs(40) },
    );
  });
});
