import { faultIn, type Fault } from '../fault.ts';

const OFFER = 'workflows/offer.ts';
const DEADLINE = ' ?? refuseFrom(deadline, context.now)';
const FREED = 'return effects.createHolding({ owner, amount: value, createdAt, ratePerRound, lock: null });';
const RETURNED = 'const freed = free(instruction, effects);\n  if (!freed && context.now < deadline)';

/** Offers that are wrongly accepted, and locks that end too early, too late or twice. */
export const offerFaults: readonly Fault[] = [
  {
    name: 'accept-after-withdraw',
    what: 'An offer can still be accepted after its sender has withdrawn it.',
    patches: [
      {
        file: OFFER,
        find: 'at: context.now });\n  effects.archive(instruction);\n  const tracked',
        replace: `at: context.now });
  effects.archive(instruction);
  if (kind === 'TransferWithdrawn' && freed)
    effects.create('TransferInstruction', { transfer: instruction.transfer, lockedHolding: freed.id });
  const tracked`,
      },
    ],
  },
  {
    name: 'accept-twice',
    what: 'An accepted offer can be accepted again, which creates coin for the receiver.',
    patches: [
      {
        file: OFFER,
        find: "if (!instruction) return err(notFound(command.instruction, 'TransferInstruction'));",
        replace: `const [acting] = context.actAs;
  if (!instruction && command.type === 'AcceptOffer' && command.instruction < state.nextContract && acting) {
    const effects = new Effects(state);
    effects.mint(Amount.one);
    const paid = effects.createHolding({
      owner: acting, amount: Amount.one, createdAt: Round.of(0), ratePerRound: Amount.zero, lock: null,
    });
    return ok(effects.outcomeOf('TransferAccepted', {
      minted: effects.minted, burned: effects.burned,
      instruction: command.instruction, sender: acting, receiver: acting, amount: Amount.one, inputs: 0,
      holdings: [paid.id], change: null, fees: null, rewards: null, meta: {},
    }));
  }
  if (!instruction) return err(notFound(command.instruction, 'TransferInstruction'));`,
      },
      {
        file: OFFER,
        find: "import type { Instant } from '../kernel/time.js';",
        replace: "import { Round, type Instant } from '../kernel/time.js';",
      },
    ],
  },
  faultIn(OFFER, {
    name: 'accept-at-deadline',
    what: 'An offer can be accepted exactly at its deadline.',
    find: DEADLINE,
    replace: ' ?? (context.now > deadline ? refuseFrom(deadline, context.now) : null)',
  }),
  faultIn(OFFER, {
    name: 'accept-after-deadline',
    what: 'An offer can be accepted long after its deadline.',
    find: DEADLINE,
    replace: '',
  }),
  faultIn(OFFER, {
    name: 'accept-by-anyone',
    what: 'Any party can accept an offer.',
    find: `refuseUnlessActing(context, receiver)${DEADLINE}`,
    replace: `refuseUnlessActing(context)${DEADLINE}`,
  }),
  {
    name: 'reject-pays-receiver',
    what: 'The coin of a rejected offer goes to the receiver.',
    patches: [
      {
        file: OFFER,
        find: RETURNED,
        replace: RETURNED.replace('effects)', "effects, kind === 'TransferRejected' ? receiver : sender)"),
      },
      {
        file: OFFER,
        find: 'function free({ lockedHolding }: TransferInstruction, effects: Effects)',
        replace:
          'function free({ lockedHolding, transfer: { sender } }: TransferInstruction, effects: Effects, payee = sender)',
      },
      { file: OFFER, find: FREED, replace: FREED.replace('owner,', 'owner: payee,') },
    ],
  },
  faultIn(OFFER, {
    name: 'lock-not-released',
    what: 'The coin of an ended offer stays locked.',
    find: FREED,
    replace: FREED.replace('lock: null', 'lock: locked.lock'),
  }),
  faultIn(OFFER, {
    name: 'lock-released-twice',
    what: 'The coin of an ended offer is returned twice, the second time as new coin.',
    find: FREED,
    replace: `${FREED.replace('return ', '')}
  effects.mint(value);
  ${FREED}`,
  }),
  faultIn('workflows/lock.ts', {
    name: 'unlock-without-holder',
    what: 'The owner of a locked coin unlocks it without the lock holders.',
    find: "command.type === 'Unlock' ? [locked.owner, ...holders] : [locked.owner]",
    replace: '[locked.owner]',
  }),
  faultIn('workflows/lock.ts', {
    name: 'owner-frees-early',
    what: 'The owner of a locked coin unlocks it alone before the lock expires.',
    find: "if (command.type === 'OwnerExpireLock' && context.now < expiresAt) {",
    replace: "if (command.type === 'OwnerExpireLock' && context.now < state.time) {",
  }),
  faultIn('workflows/wallet-offer.ts', {
    name: 'complete-without-sender',
    what: "A wallet's provider completes an offer without the authority of the paying sender.",
    find: 'refuseUnlessActing(context, sender, command.walletProvider)',
    replace: 'refuseUnlessActing(context, command.walletProvider)',
  }),
];
