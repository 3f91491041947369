import { Effects } from '../contracts/effects.js';
import { find, settingsOf, type LedgerState } from '../contracts/state.js';
import { Amount } from '../kernel/amount.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { err, ok } from '../kernel/result.js';
import { amount, contractId, instant, integer, optional, party, text } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import {
  commandTerms,
  counterOf,
  send,
  sendDetails,
  sendShape,
  termsOf,
  type CommandTerms,
  type SendDetails,
  type SendTransferCommand,
} from './transfer-command/send.js';
import { byRules, byDsoOrSv, onArchived, dsoOf, archivedOf } from '../rules/consent.js';
import { choiceOf, notified, paid, paidBy } from '../rules/history.js';
import {
  notDecimal,
  notFound,
  refuseUnlessActing,
  refuseUnlessAnyActs,
  refuseUnlessRoutine,
} from '../rules/refusals.js';
import { byType, detailShape, shapeOf, unrecorded, type Workflow, type Decision } from '../rules/workflow.js';

/**
 * The payment order of an external party: it signs the creation of a TransferCommand, and its delegate executes it
 * with the coins that exist then. Commands of a sender take effect in the order of their nonces, each once.
 * Source: specification §3.13, §7.6, §8.10. Assumptions.
 */
type TransferCommandCommand =
  | CreateTransferCommandCounter
  | CreateTransferCommand
  | SendTransferCommand
  | WithdrawTransferCommand
  | ExpireTransferCommand;

/** Creates the command counter of a sender, with nonce 0. Acts as the DSO or any super validator. */
interface CreateTransferCommandCounter {
  readonly type: 'CreateTransferCommandCounter';
  readonly sender: PartyId;
}

/** Creates a command; balance and nonce are checked when it is sent. Acts as the sender. */
interface CreateTransferCommand {
  readonly type: 'CreateTransferCommand';
  readonly sender: PartyId;
  readonly receiver: PartyId;
  readonly delegate: PartyId;
  readonly amount: Amount;
  readonly expiresAt: Instant;
  readonly nonce: number;
  readonly description?: string;
  /** DSO that the sender expects; default: the DSO of this ledger. */
  readonly expectedDso?: PartyId;
}

/** Withdraws the command. Acts as the sender. */
interface WithdrawTransferCommand {
  readonly type: 'WithdrawTransferCommand';
  readonly command: ContractId;
}

/** Removes an expired command. Acts as the sender, the delegate or the DSO. */
interface ExpireTransferCommand {
  readonly type: 'ExpireTransferCommand';
  readonly command: ContractId;
}

interface TransferCommandDetail extends ValueDetail, CommandTerms {
  readonly expiresAt: Instant;
}

interface TransferCommandDetails extends SendDetails {
  readonly TransferCommandCounterCreated: ValueDetail & { readonly counter: ContractId; readonly sender: PartyId };
  readonly TransferCommandCreated: TransferCommandDetail;
  readonly TransferCommandWithdrawn: TransferCommandDetail;
  readonly TransferCommandExpired: TransferCommandDetail;
}

type Answer = Decision<TransferCommandDetails>;

const named = shapeOf<WithdrawTransferCommand>({ command: contractId });
const detail = detailShape<TransferCommandDetail>({ ...commandTerms, expiresAt: instant });

const SEND = choiceOf('ExternalPartyAmuletRules', 'TransferCommand_Send', { template: 'TransferCommand' });

const outcomes = {
  CreateTransferCommandCounter: {
    becomes: ['TransferCommandCounterCreated'],
    refusals: ['NOT_AUTHORISED', 'ALREADY_EXISTS'],
  },
  CreateTransferCommand: {
    becomes: ['TransferCommandCreated'],
    refusals: ['NOT_AUTHORISED', 'DSO_MISMATCH', 'INVALID_DECIMAL', 'DEADLINE_PASSED'],
  },
  SendTransferCommand: {
    becomes: ['TransferCommandFailed', 'TransferCommandSent'],
    refusals: [
      'choice',
      'GROUP_MISMATCH',
      'NONCE_TOO_HIGH',
      'DEADLINE_PASSED',
      'ROUND_NOT_OPEN',
      'PREAPPROVAL_EXPIRED',
      'coins and coupons',
      'NON_POSITIVE_AMOUNT',
      'funds',
    ],
    source: '§3.13',
  },
  WithdrawTransferCommand: { becomes: ['TransferCommandWithdrawn'], refusals: ['choice'] },
  ExpireTransferCommand: { becomes: ['TransferCommandExpired'], refusals: ['choice', 'DEADLINE_NOT_REACHED'] },
} as const;

export const transferCommand: Workflow<TransferCommandCommand, TransferCommandDetails, typeof outcomes> = {
  commands: {
    CreateTransferCommandCounter: shapeOf<CreateTransferCommandCounter>({ sender: party }),
    CreateTransferCommand: shapeOf<CreateTransferCommand>({
      sender: party,
      receiver: party,
      delegate: party,
      amount,
      expiresAt: instant,
      nonce: integer,
      description: optional(text),
      expectedDso: optional(party),
    }),
    SendTransferCommand: sendShape,
    WithdrawTransferCommand: named,
    ExpireTransferCommand: named,
  },
  outcomes,
  source: '§3.13, §7.6',
  updates: {
    TransferCommandCounterCreated: unrecorded(
      detailShape<TransferCommandDetails['TransferCommandCounterCreated']>({ counter: contractId, sender: party }),
      byDsoOrSv,
      null,
    ),
    TransferCommandCreated: unrecorded(detail, byRules('sender'), null),
    TransferCommandSent: {
      detail: sendDetails.TransferCommandSent,
      consent: {
        controllers: (step) => archivedOf(step, 'TransferCommand').map(({ delegate }) => [delegate]),
        exercised: (step) => [
          archivedOf(step, 'TransferCommand')[0] ?? null,
          find(step.before, 'TransferPreapproval', step.update.detail.preapproval),
        ],
      },
      ends: 'command',
      history: paidBy('sender', SEND),
    },
    TransferCommandFailed: {
      detail: sendDetails.TransferCommandFailed,
      consent: onArchived('TransferCommand', 'delegate'),
      ends: 'command',
      history: (update) => {
        const { sender, delegate, nonce, reason, inputs } = update.detail;
        return [
          ...(inputs > 0 ? paid(update, sender, SEND, update.detail) : []),
          notified([sender, delegate], SEND, `TransferCommand with nonce ${nonce} failed: ${reason}`),
        ];
      },
    },
    TransferCommandWithdrawn: unrecorded(detail, onArchived('TransferCommand', 'sender'), 'command'),
    TransferCommandExpired: unrecorded(
      detail,
      onArchived('TransferCommand', ({ sender, delegate }, step) => [[sender], [delegate], [dsoOf(step)]]),
      'command',
    ),
  },
  decide: byType({
    CreateTransferCommandCounter: createCounter,
    CreateTransferCommand: create,
    SendTransferCommand: send,
    WithdrawTransferCommand: end,
    ExpireTransferCommand: end,
  }),
};

function createCounter({ sender }: CreateTransferCommandCounter, state: LedgerState, context: Context): Answer {
  const unauthorised = refuseUnlessRoutine(context, state);
  if (unauthorised) return err(unauthorised);
  const known = counterOf(state, sender);
  if (known) return err({ code: 'ALREADY_EXISTS', what: `a TransferCommandCounter of ${sender}`, contract: known.id });
  const effects = new Effects(state);
  const { id: counter } = effects.create('TransferCommandCounter', { sender, nextNonce: 0 });
  return ok(effects.outcome('TransferCommandCounterCreated', { counter, sender }));
}

function create(command: CreateTransferCommand, state: LedgerState, context: Context): Answer {
  const { dso } = settingsOf(state);
  const { sender, receiver, delegate, amount: value, expiresAt, nonce } = command;
  const { description = null, expectedDso = dso } = command;
  const unauthorised = refuseUnlessActing(context, sender);
  if (unauthorised) return err(unauthorised);
  if (expectedDso !== dso) return err({ code: 'DSO_MISMATCH', expected: dso, actual: expectedDso });
  if (!Amount.inRange(value)) return err(notDecimal('amount', value));
  if (context.now >= expiresAt) return err({ code: 'DEADLINE_PASSED', deadline: expiresAt, at: context.now });
  const effects = new Effects(state);
  const created = effects.create('TransferCommand', {
    sender,
    receiver,
    delegate,
    amount: value,
    expiresAt,
    nonce,
    description,
  });
  return ok(effects.outcome('TransferCommandCreated', { ...termsOf(created), expiresAt }));
}

function end(command: WithdrawTransferCommand | ExpireTransferCommand, state: LedgerState, context: Context): Answer {
  const found = find(state, 'TransferCommand', command.command);
  if (!found) return err(notFound(command.command, 'TransferCommand'));
  const { sender, delegate, expiresAt } = found;
  const withdraws = command.type === 'WithdrawTransferCommand';
  const unauthorised = withdraws
    ? refuseUnlessActing(context, sender)
    : refuseUnlessAnyActs(context, delegate, sender, settingsOf(state).dso);
  if (unauthorised) return err(unauthorised);
  if (!withdraws && context.now < expiresAt)
    return err({ code: 'DEADLINE_NOT_REACHED', deadline: expiresAt, at: context.now });
  const effects = new Effects(state);
  effects.archive(found);
  return ok(
    effects.outcome(withdraws ? 'TransferCommandWithdrawn' : 'TransferCommandExpired', {
      ...termsOf(found),
      expiresAt,
    }),
  );
}
