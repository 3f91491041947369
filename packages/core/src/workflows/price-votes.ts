import { Effects } from '../contracts/effects.js';
import { firstAbout, type LedgerState } from '../contracts/state.js';
import type { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { amount, nullable, party } from '../kernel/shape.js';
import { Instant } from '../kernel/time.js';
import { notSuperValidator } from '../rules/governance/governance.js';
import { dsoRulesOf, superValidatorOf } from '../rules/governance/super-majority.js';
import { bySv } from '../rules/consent.js';
import { detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';
import { refuseUnlessActing } from '../rules/refusals.js';

/**
 * Votes on the coin's price: each super validator has one and may change it. The next round gets the median.
 * Source: specification §3.19. Assumption: A-58 (how often it may change).
 */
type PriceVoteCommand = VoteAmuletPrice;

/** Casts or changes a vote. Acts as the super validator. */
interface VoteAmuletPrice {
  readonly type: 'VoteAmuletPrice';
  readonly sv: PartyId;
  /** USD per coin, above zero; null: no opinion. */
  readonly amuletPrice: Amount | null;
}

interface PriceVoteDetails {
  readonly AmuletPriceVoted: ValueDetail & { readonly sv: PartyId; readonly amuletPrice: Amount | null };
}

const outcomes = {
  VoteAmuletPrice: {
    becomes: ['AmuletPriceVoted'],
    refusals: ['NOT_AUTHORISED', 'NOT_BOOTSTRAPPED', 'GROUP_MISMATCH', 'NON_POSITIVE_AMOUNT', 'TOO_SOON'],
  },
} as const;

export const priceVotes: Workflow<PriceVoteCommand, PriceVoteDetails, typeof outcomes> = {
  commands: { VoteAmuletPrice: shapeOf<VoteAmuletPrice>({ sv: party, amuletPrice: nullable(amount) }) },
  outcomes,
  source: '§3.19',
  updates: {
    AmuletPriceVoted: unrecorded(
      detailShape<PriceVoteDetails['AmuletPriceVoted']>({ sv: party, amuletPrice: nullable(amount) }),
      bySv,
      null,
    ),
  },
  decide,
};

function decide(
  { sv, amuletPrice }: VoteAmuletPrice,
  state: LedgerState,
  context: Context,
): Decision<PriceVoteDetails> {
  const { now } = context;
  const unauthorised = refuseUnlessActing(context, sv);
  if (unauthorised) return err(unauthorised);
  const rules = dsoRulesOf(state);
  if (!rules) return err({ code: 'NOT_BOOTSTRAPPED' });
  if (!superValidatorOf(rules, sv)) return err(notSuperValidator(rules, sv));
  if (amuletPrice !== null && amuletPrice <= 0n)
    return err({ code: 'NON_POSITIVE_AMOUNT', field: 'amuletPrice', amount: amuletPrice });
  const before = firstAbout(state, 'AmuletPriceVote', sv);
  const notBefore = before ? Instant.plus(before.lastUpdatedAt, rules.config.voteCooldown) : now;
  if (now < notBefore) return err({ code: 'TOO_SOON', notBefore, at: now });
  const effects = new Effects(state);
  if (before) effects.archive(before);
  effects.create('AmuletPriceVote', { sv, amuletPrice, lastUpdatedAt: now });
  return ok(effects.outcome('AmuletPriceVoted', { sv, amuletPrice }));
}
