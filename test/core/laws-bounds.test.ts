import { allOf, lockedHoldingsOf, findAny } from '@coinlab/core/views';
import { Amount, Instant, LAWS, PartyId, type Contract, type Law, type Step, type Update } from '@coinlab/core';
import { cast } from '@coinlab/testing';
import { describe, expect, it } from 'vitest';
import { alice, bob, carol, Scene, but, leading, remade, walletOffer } from './laws-scene.ts';

const { dso } = cast;

/** The step as it would have been done once more, right after itself. */
function again(step: Step): Step {
  return { ...step, before: step.after };
}

/** The step of the Scene in which a tracking record goes from one status to another. */
function tracked(s: Scene, from: string, to: string): Step {
  const offered = s.step(walletOffer(s, 'first'), [bob]);
  const started = leading(offered, { created: remade(offered, 'TrackingRecord', () => ({ status: from }) as never) });
  const [record] = started.update.created.filter(({ template }) => template === 'TrackingRecord');
  const next = { ...record, id: started.after.nextContract, status: to } as unknown as Contract;
  const update = { ...offered.update, offset: offered.update.offset + 1, archived: [record?.id], created: [next] };
  return leading({ before: started.after, update, after: started.after } as unknown as Step, {});
}

/** Further ways to break a law, where it says more than one thing or says where exactly it begins. */
const ALSO: readonly (readonly [law: string, what: string, step: (scene: Scene) => Step])[] = [
  [
    'ledger time never decreases',
    'the state forgets the time',
    (s) => {
      const step = s.tap();
      return { ...step, after: { ...step.after, time: Instant.ofMicros(step.after.time + 1n) } };
    },
  ],
  [
    'ledger time never decreases',
    'state and update go back together',
    (s) => {
      const step = s.tap();
      const recordTime = Instant.ofMicros(step.before.time - 1n);
      return { ...but(step, { recordTime }), after: { ...step.after, time: recordTime } };
    },
  ],
  [
    'ledger time never decreases',
    'an offset is left out',
    (s) => {
      const step = s.tap();
      const offset = (step.update.offset + 1) as Update['offset'];
      return { ...step, update: { ...step.update, offset }, after: { ...step.after, offset } };
    },
  ],
  [
    'ledger time never decreases',
    'the state counts another offset',
    (s) => {
      const step = s.tap();
      return { ...step, after: { ...step.after, offset: step.before.offset } };
    },
  ],
  [
    'an offer is accepted before its deadline and expired after it',
    'accepted at its deadline',
    (s) => {
      const step = s.settled('AcceptOffer');
      const ended = step.update.archived
        .map((id) => findAny(step.before, id))
        .find((contract) => contract?.template === 'TransferInstruction');
      if (ended?.template !== 'TransferInstruction') throw new Error('an offer ends');
      return but(step, { recordTime: ended.transfer.executeBefore });
    },
  ],
  [
    'a preapproved transfer takes effect while its preapproval is valid',
    'at its very end',
    (s) => {
      const step = s.direct();
      const { expiresAt } = s.first('TransferPreapproval', ({ receiver }) => receiver === alice);
      return but(step, { recordTime: expiresAt });
    },
  ],
  [
    'renewal prolongs a preapproval and changes nothing else',
    'by nothing',
    (s) => {
      const { expiresAt } = s.first('TransferPreapproval');
      return but(s.renewed(), { created: remade(s.renewed(), 'TransferPreapproval', () => ({ expiresAt })) });
    },
  ],
  [
    'renewal prolongs a preapproval and changes nothing else',
    'that has just expired',
    (s) => {
      const { expiresAt: recordTime } = s.first('TransferPreapproval');
      const step = s.renewed();
      return but(step, {
        recordTime,
        created: remade(step, 'TransferPreapproval', () => ({ lastRenewedAt: recordTime })),
      });
    },
  ],
  [
    'a coin is expired as dust only once it is dust',
    'among others that are',
    (s) => {
      const step = s.dust();
      const { expired } = step.update.detail as { readonly expired: readonly object[] };
      return but(step, {
        archived: [...step.update.archived, s.coin(alice)],
        detail: { expired: [...expired, ...expired] },
      });
    },
  ],
  [
    'a locked coin is not expired as dust before its lock ends',
    'among others that are free',
    (s) => {
      s.offer();
      const recordTime = s.now;
      const step = s.dust();
      const locked = [...lockedHoldingsOf(step.before, bob)].map(({ id }) => id);
      expect(locked.length).toBeGreaterThan(0);
      return but(step, { recordTime, archived: [...step.update.archived, ...locked] });
    },
  ],
  [
    'an archived contract was active before, is named once, and is not active afterwards',
    'what never was',
    (s) => {
      const step = s.self();
      return but(step, { archived: [...step.update.archived, 999_999_999] });
    },
  ],
  [
    'ids ascend and are never used again',
    'the next id is in use',
    (s) => {
      const step = s.tap();
      return { ...step, after: { ...step.after, nextContract: step.after.nextContract - 1 } };
    },
  ],
  [
    'ids ascend and are never used again',
    'what was created is not there',
    (s) => {
      const step = s.tap();
      return { ...step, after: { ...step.before, nextContract: step.after.nextContract } };
    },
  ],
  [
    'ids ascend and are never used again',
    'ids go back',
    (s) => {
      const step = s.settled('RejectOffer');
      return { ...but(step, { created: [] }), after: { ...step.after, nextContract: step.before.nextContract - 1 } };
    },
  ],
  [
    'an ended contract is archived and cannot be named again',
    'it is still there',
    (s) => {
      const step = s.settled('RejectOffer');
      return { ...step, after: step.before };
    },
  ],
  ['a prepared transaction takes effect once, before it expires', 'twice', (s) => again(s.signed())],
  [
    'a prepared transaction takes effect once, before it expires',
    'twice at once',
    (s) => {
      const step = s.signed();
      const executed = step.update.created.find(({ template }) => template === 'ExecutedTransaction');
      return but(step, { created: [...step.update.created, { ...executed, hash: 'another' }] });
    },
  ],
  ['the key of an external party has the fingerprint in its id', 'it has one already', (s) => again(s.registered())],
  [
    'the key of an external party has the fingerprint in its id',
    'it is registered by the way',
    (s) => {
      const step = s.registered();
      return { ...step, update: { ...step.update, kind: 'PartyAllocated' } as unknown as Update };
    },
  ],
  [
    'each nonce of a sender takes effect once, in order',
    'counting begins again',
    (s) => again(s.step({ type: 'CreateTransferCommandCounter', sender: carol }, [dso])),
  ],
  ...(
    [
      ['created', 'created'],
      ['accepted', 'created'],
      ['completed', 'accepted'],
      ['failed', 'accepted'],
      ['completed', 'failed'],
    ] as const
  ).map(
    ([from, to]) =>
      [
        'a tracking id belongs to one offer or request of its wallet, and its outcome is final',
        `${to} after ${from}`,
        (s: Scene) => tracked(s, from, to),
      ] as const,
  ),
  [
    'the bought traffic of a member equals the sum of its contracts, which only purchases increase',
    'less than may be bought',
    (s) => {
      const step = s.buy();
      const [was] = step.update.created.flatMap((each) => (each.template === 'MemberTrafficBalance' ? [each] : []));
      const bought = was?.purchasedBytes ?? 0;
      return leading(step, {
        created: step.update.created.map((each) => {
          if (each.template === 'MemberTraffic')
            return { ...each, totalPurchasedBytes: each.totalPurchasedBytes - bought + 1 };
          return each.template === 'MemberTrafficBalance' ? { ...each, purchasedBytes: 1 } : each;
        }),
        detail: { trafficBytes: 1 },
      });
    },
  ],
  [
    'a member never uses more extra traffic than it bought',
    'less than no base',
    (s) => {
      const step = s.buy();
      return but(step, { created: remade(step, 'MemberTrafficBalance', () => ({ baseBytes: Amount.ofUnits(-1n) })) });
    },
  ],
  [
    'a coupon is minted while its own round is issuing, a grant before it expires',
    'a moment early',
    (s) => {
      const step = s.collected();
      const opens = [...allOf(step.before, 'IssuingMiningRound')].map(({ opensAt }) => opensAt);
      return but(step, { recordTime: Instant.ofMicros(opens.reduce((a, b) => (a < b ? a : b)) - 1n) });
    },
  ],
  [
    'a validator is live once per round, and a super validator collects once',
    'collecting again',
    (s) => again(s.collectedBySv()),
  ],
  ...(['perSvRewardCoupon', 'perValidatorFaucetCoupon', 'perValidatorRewardCoupon'] as const).map(
    (figure) =>
      [
        'featured apps earn at least as much as other apps, and no app more than the cap',
        `${figure} below zero`,
        (s: Scene) => {
          const step = s.issued();
          return but(step, { created: remade(step, 'IssuingMiningRound', () => ({ [figure]: Amount.ofUnits(-1n) })) });
        },
      ] as const,
  ),
  [
    'featured apps earn at least as much as other apps, and no app more than the cap',
    'others earn more',
    (s) => {
      const step = s.issued();
      return but(step, {
        created: remade(step, 'IssuingMiningRound', ({ perUnfeaturedAppRewardCoupon: others }) => ({
          perFeaturedAppRewardCoupon: Amount.sub(others, Amount.unit),
        })),
      });
    },
  ],
  [
    'no transfer has more inputs than allowed',
    'though it says so',
    (s) => {
      for (let i = 0; i < 101; i++) s.tap();
      const inputs = s.coins(alice).slice(0, 101);
      return but(s.self(), { archived: inputs, detail: { inputs: 1 } });
    },
  ],
];

/** How far a law lets go: steps at its very bound. */
const AT_BOUND: readonly (readonly [law: string, what: string, step: (scene: Scene) => Step])[] = [
  [
    'no transfer has more outputs than allowed',
    'as many, and change',
    (s) => {
      const step = s.self();
      return but(step, { created: Array.from({ length: 101 }, () => step.update.created[0]) });
    },
  ],
  [
    'no coin has more lock holders than allowed',
    'as many',
    (s) => {
      const step = s.offer();
      const holders = Array.from({ length: 50 }, (_, i) => PartyId.of(`holder${i}`));
      return but(step, { created: remade(step, 'Holding', ({ lock }) => ({ lock: lock && { ...lock, holders } })) });
    },
  ],
  ...(
    [
      ['created', 'accepted'],
      ['accepted', 'completed'],
      ['accepted', 'failed'],
    ] as const
  ).map(
    ([from, to]) =>
      [
        'a tracking id belongs to one offer or request of its wallet, and its outcome is final',
        `${to} after ${from}`,
        (s: Scene) => tracked(s, from, to),
      ] as const,
  ),
  [
    'featured apps earn at least as much as other apps, and no app more than the cap',
    'nothing for super validators',
    (s) => {
      const step = s.issued();
      return but(step, { created: remade(step, 'IssuingMiningRound', () => ({ perSvRewardCoupon: Amount.zero })) });
    },
  ],
];

describe('the law', () => {
  const lawOf = (name: string): Law => {
    const law = LAWS.find((each) => each.name === name);
    if (!law) throw new Error(`there is a law: ${name}`);
    return law;
  };
  it.each(ALSO)('"%s" is broken by a step in which %s', (name, _, step) =>
    expect(lawOf(name).holds(step(new Scene()))).toBe(false),
  );
  it.each(AT_BOUND)('"%s" holds at its bound: %s', (name, _, step) =>
    expect(lawOf(name).holds(step(new Scene()))).toBe(true),
  );
});
