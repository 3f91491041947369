import { dustExpiringAt, lockedHoldingsOf } from '@coinlab/core/views';
import { dustRoundOf } from '@coinlab/core/rules';
import { Duration, Instant, Round, type Holding, type PartyId } from '@coinlab/core';
import { dso, everybody } from '../cast.js';
import type { Draw } from '../draw.js';
import type { RecipesOf } from '../recipe.js';
import type { CommandOf } from '@coinlab/core';

const GRANTS = ['DevelopmentFundCoupon', 'UnclaimedActivityRecord'] as const;

export const transfers: RecipesOf<
  | 'Mint'
  | 'Tap'
  | 'SelfTransfer'
  | 'MergeHoldings'
  | 'DirectTransfer'
  | 'CreateOffer'
  | 'AcceptOffer'
  | 'RejectOffer'
  | 'WithdrawOffer'
  | 'ExpireOffer'
  | 'Unlock'
  | 'OwnerExpireLock'
  | 'ExpireDust'
> = {
  Mint: {
    weight: 1,
    draw: (d) => {
      const receiver = d.party();
      return { command: { type: 'Mint', receiver, amount: d.fresh() }, actAs: [dso, receiver] };
    },
  },

  Tap: {
    weight: 2,
    draw: (d) => {
      const receiver = d.party();
      return { command: { type: 'Tap', receiver, amount: d.fresh() }, actAs: [receiver] };
    },
  },

  SelfTransfer: {
    weight: 3,
    draw: (d) => {
      const { receiver: _, ...terms } = registryTransfer(d, (sender) => sender);
      return { command: { type: 'SelfTransfer', ...terms }, actAs: [terms.sender] };
    },
  },

  MergeHoldings: {
    weight: 3,
    draw: (d) => {
      const grant = d.dice.chance(50) ? d.contract(d.dice.pick(GRANTS)) : undefined;
      const owner = grant?.beneficiary ?? d.holder();
      const inputs = d.inputs(owner);
      if (!grant) return { command: { type: 'MergeHoldings', owner, inputs }, actAs: [owner] };
      return {
        command: { type: 'MergeHoldings', owner, inputs: [...inputs, grant.id] },
        actAs: [owner],
        at: d.soon(grant.expiresAt) ? d.near(grant.expiresAt, [d.now, 0, -1, 0]) : d.now,
      };
    },
  },

  DirectTransfer: {
    weight: 4,
    needs: ['TransferPreapproval'],
    draw: (d) => {
      const preapproval = d.contract('TransferPreapproval', ({ expiresAt }) => expiresAt > d.now);
      const terms = registryTransfer(d, (sender) => preapproval?.receiver ?? d.other(sender));
      const at = preapproval && d.soon(preapproval.expiresAt) ? d.before(preapproval.expiresAt) : d.now;
      // A payment uses an expired preapproval only if the command names it.
      const isNamed = preapproval && (d.dice.chance(30) || at >= preapproval.expiresAt);
      const isOfAnother = (other: { readonly receiver: PartyId }): boolean => other.receiver !== terms.receiver;
      const named = d.dice.chance(25)
        ? d.contract('TransferPreapproval', isOfAnother)
        : isNamed
          ? preapproval
          : undefined;
      return {
        command: { type: 'DirectTransfer', ...terms, ...(named ? { preapproval: named.id } : {}) },
        actAs: [terms.sender],
        at,
      };
    },
  },

  CreateOffer: {
    weight: 5,
    draw: (d) => {
      const terms = registryTransfer(d, (sender) => d.other(sender));
      return { command: { type: 'CreateOffer', ...terms, executeBefore: d.ahead() }, actAs: [terms.sender] };
    },
  },

  AcceptOffer: {
    weight: 3,
    needs: ['TransferInstruction'],
    draw: (d) => {
      const offered = d.contract('TransferInstruction', ({ transfer }) => d.now < transfer.executeBefore);
      return {
        command: { type: 'AcceptOffer', instruction: d.ref(offered) },
        actAs: [offered?.transfer.receiver ?? d.party()],
        at: d.before(offered?.transfer.executeBefore),
      };
    },
  },

  RejectOffer: {
    weight: 1.5,
    needs: ['TransferInstruction'],
    draw: (d) => {
      const offered = d.contract('TransferInstruction');
      return {
        command: { type: 'RejectOffer', instruction: d.ref(offered) },
        actAs: [offered?.transfer.receiver ?? d.party()],
        at: d.before(offered?.transfer.executeBefore),
      };
    },
  },

  WithdrawOffer: {
    weight: 1.5,
    needs: ['TransferInstruction'],
    draw: (d) => {
      const offered = d.contract('TransferInstruction');
      return {
        command: { type: 'WithdrawOffer', instruction: d.ref(offered) },
        actAs: [offered?.transfer.sender ?? d.party()],
        at: d.before(offered?.transfer.executeBefore),
      };
    },
  },

  ExpireOffer: {
    weight: 1.5,
    needs: ['TransferInstruction'],
    draw: (d) => {
      const offered = d.contract('TransferInstruction');
      return {
        command: { type: 'ExpireOffer', instruction: d.ref(offered) },
        actAs: [dso],
        at: d.after(offered?.transfer.executeBefore),
      };
    },
  },

  Unlock: {
    weight: 1.2,
    draw: (d) => {
      const coin = lockedCoin(d);
      return {
        command: { type: 'Unlock', holding: coin?.id ?? d.anyId() },
        actAs: coin ? [coin.owner, ...(coin.lock?.holders ?? [])] : [d.party()],
      };
    },
  },

  OwnerExpireLock: {
    weight: 0.7,
    draw: (d) => {
      const coin = lockedCoin(d);
      return {
        command: { type: 'OwnerExpireLock', holding: coin?.id ?? d.anyId() },
        actAs: [coin?.owner ?? d.party()],
        at: d.after(coin?.lock?.expiresAt),
      };
    },
  },

  ExpireDust: {
    weight: 2,
    draw: (d) => {
      const judgedAt = d.state.offset === 0 ? null : dustRoundOf(d.state);
      const early = d.dice.chance(20);
      const round = Round.plus(judgedAt ?? Round.of(0), early ? 1 : 0);
      const due = judgedAt === null ? [] : [...dustExpiringAt(d.state, round)];
      const count = 1 + d.dice.roll(5);
      // The last coins of the list are not yet dust.
      const dust = early ? due.slice(-count) : due.slice(0, count);
      const nonsense = d.dice.chance(10) || dust.length === 0;
      return {
        command: {
          type: 'ExpireDust',
          holdings: [...dust.map(({ id }) => id), ...(nonsense ? d.inputs(d.holder()).slice(0, 3) : [])],
        },
        actAs: [dso],
        at: d.dice.chance(30) ? d.after(dust[0]?.lock?.expiresAt) : d.now,
      };
    },
  },
};

function registryTransfer(
  d: Draw,
  receiverOf: (sender: PartyId) => PartyId,
): Omit<CommandOf<'DirectTransfer'>, 'type' | 'preapproval'> {
  const sender = d.holder();
  const inputs = d.inputs(sender);
  const wrong = d.dice.chance(2);
  return {
    sender,
    receiver: receiverOf(sender),
    amount: d.amount(d.worth(inputs)),
    inputs,
    ...(d.dice.chance(10) ? { executeBefore: d.ahead() } : {}),
    ...(d.dice.chance(10) ? { requestedAt: Instant.plus(d.now, Duration.ofMicros(BigInt(d.dice.roll(2)))) } : {}),
    ...(d.dice.chance(5) ? { instrument: { admin: wrong ? sender : dso, id: wrong ? 'Other' : 'Amulet' } } : {}),
    ...(d.dice.chance(5) ? { expectedAdmin: wrong ? sender : dso } : {}),
    ...d.meta(),
  };
}

function lockedCoin(d: Draw): Holding | undefined {
  return d.dice.pick(everybody.flatMap((party) => [...lockedHoldingsOf(d.state, party)]));
}
