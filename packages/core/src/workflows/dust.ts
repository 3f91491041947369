import { Effects } from '../contracts/effects.js';
import { expiryRoundOf } from '../contracts/holding.js';
import { settingsOf, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { amount, bool, contractId, list, party, record, round } from '../kernel/shape.js';
import type { Round } from '../kernel/time.js';
import { dustRoundOf, isDust } from '../rules/transfer/dust.js';
import { archivedOf, routineOn } from '../rules/consent.js';
import { changed, choiceOf } from '../rules/history.js';
import { notDecimal, notFound, refuseUnlessRoutine } from '../rules/refusals.js';
import { detailShape, shapeOf, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * Expires dust: archives coins whose accrued holding fee exceeds their amount, without their owners' consent. Acts as
 * the DSO or any super validator.
 * Source: specification §4.2, §4.3.
 */
interface ExpireDust {
  readonly type: 'ExpireDust';
  /** Coins to expire, all or none. */
  readonly holdings: readonly ContractId[];
}

interface ExpiredHolding {
  readonly holding: ContractId;
  readonly owner: PartyId;
  readonly amount: Amount;
  readonly wasLocked: boolean;
}

interface DustDetails {
  readonly DustExpired: ValueDetail & { readonly judgedAt: Round; readonly expired: readonly ExpiredHolding[] };
}

const outcomes = {
  ExpireDust: {
    becomes: ['DustExpired'],
    refusals: [
      'NOT_AUTHORISED',
      'NOT_BOOTSTRAPPED',
      'NO_INPUTS',
      'DUPLICATE_INPUT',
      'CONTRACT_NOT_FOUND',
      'LOCK_NOT_EXPIRED',
      'NOT_DUST',
      'INVALID_DECIMAL',
    ],
  },
} as const;

export const dust: Workflow<ExpireDust, DustDetails, typeof outcomes> = {
  commands: { ExpireDust: shapeOf<ExpireDust>({ holdings: list(contractId) }) },
  outcomes,
  source: '§4.2, §4.3',
  updates: {
    DustExpired: {
      detail: detailShape<DustDetails['DustExpired']>({
        judgedAt: round,
        expired: list(record<ExpiredHolding>({ holding: contractId, owner: party, amount, wasLocked: bool })),
      }),
      // Each coin is expired by its own choice.
      consent: { ...routineOn('Holding'), exercised: (step) => archivedOf(step, 'Holding') },
      ends: null,
      history: ({ detail }) =>
        detail.expired.map(({ owner, amount, wasLocked }) => {
          const subtype = wasLocked
            ? choiceOf('Amulet', 'LockedAmulet_ExpireAmulet', { template: 'LockedAmulet' })
            : choiceOf('Amulet', 'Amulet_Expire');
          return changed([{ party: owner, amount: Amount.sub(Amount.zero, amount) }], subtype);
        }),
    },
  },
  decide,
};

function decide({ holdings }: ExpireDust, state: LedgerState, context: Context): Decision<DustDetails> {
  const unauthorised = refuseUnlessRoutine(context, state);
  if (unauthorised) return err(unauthorised);
  const { profile } = settingsOf(state);
  const judgedAt = dustRoundOf(state);
  if (judgedAt === null) return err({ code: 'NOT_BOOTSTRAPPED' });
  if (holdings.length === 0) return err({ code: 'NO_INPUTS' });

  const effects = new Effects(state);
  const expired: ExpiredHolding[] = [];
  let burned = 0n;
  for (const id of holdings) {
    const coin = effects.find('Holding', id);
    if (!coin && effects.hasArchived(id)) return err({ code: 'DUPLICATE_INPUT', contract: id });
    if (!coin) return err(notFound(id, 'Holding'));
    if (coin.lock && context.now < coin.lock.expiresAt && !profile.expiresLockedDust) {
      return err({ code: 'LOCK_NOT_EXPIRED', contract: id, expiresAt: coin.lock.expiresAt, at: context.now });
    }
    if (!isDust(coin, judgedAt, profile.dustAtEquality)) {
      const expiresInRound = expiryRoundOf(coin, profile.dustAtEquality);
      return err({ code: 'NOT_DUST', contract: id, expiresInRound, oldestRound: judgedAt });
    }
    burned += coin.amount;
    effects.archive(coin);
    effects.burn(coin.amount);
    expired.push({ holding: id, owner: coin.owner, amount: coin.amount, wasLocked: coin.lock !== null });
  }
  if (!Amount.inRange(burned)) return err(notDecimal('sum of holdings', burned));
  return ok(effects.outcome('DustExpired', { judgedAt, expired }));
}
