import type { Command, CommandOf, UpdateOf } from '@coinlab/core';
import { choice, coinsIn, type Choice, type Exercised, type LedgerFacts } from './choice.js';
import { record } from './daml.js';
import { checkExtraArgs, type ExtraArgs } from './extra-args.js';
import {
  extraArgs,
  factoryTransfer,
  roundContext,
  TRANSFER,
  TRANSFER_INTERFACES,
  transferArgumentOf,
  transferOf,
  type FactoryTransfer,
} from './factory-transfer.js';
import type { Site } from './site.js';
import { sending } from './preapprovals.js';
import { completed, FAILED, pending, transferResult } from './transfer-results.js';

type TransferCommand = CommandOf<'SelfTransfer' | 'DirectTransfer' | 'CreateOffer'>;

/** The given context determines the command. Source: specification of the API §9.4. */
function transferCommand(given: FactoryTransfer, site: Site): TransferCommand {
  const { argument, preapproval } = transferOf(given, site.target, site);
  if (preapproval !== null) return { type: 'DirectTransfer', ...argument, preapproval };
  if (argument.sender !== argument.receiver) return { type: 'CreateOffer', ...argument };
  const { receiver: _, ...own } = argument;
  return { type: 'SelfTransfer', ...own };
}

interface Answer {
  readonly extraArgs: ExtraArgs;
}

function contextOfStep(hasCoin: boolean, facts: LedgerFacts): Answer {
  const { context, meta } = hasCoin ? roundContext(facts) : NO_EXTRA;
  const values = { ...context.values, 'expire-lock': { tag: 'AV_Bool', value: hasCoin } };
  return { extraArgs: { context: { values }, meta } };
}

const NO_EXTRA: ExtraArgs = { context: { values: {} }, meta: { values: {} } };

function answering(type: 'AcceptOffer' | 'RejectOffer' | 'WithdrawOffer') {
  return ({ extraArgs: extra }: Answer, site: Site): Command => {
    site.contract('TransferInstruction', site.target);
    checkExtraArgs(extra, type === 'AcceptOffer' ? ['amulet-rules', 'open-round'] : [], site);
    return { type, instruction: site.target };
  };
}

const onInstruction = {
  on: `${TRANSFER_INTERFACES}:TransferInstruction`,
  template: 'TransferInstruction',
  isConsuming: true,
  argument: record<Answer>({ extraArgs }),
} as const;

type Returned = UpdateOf<'TransferRejected' | 'TransferWithdrawn' | 'TransferExpired'>['detail'];

function returned({ instruction, holding }: Returned, facts: LedgerFacts) {
  return {
    contract: instruction,
    argument: contextOfStep(holding !== null, facts),
    result: transferResult(FAILED, holding),
  };
}

export function expiredInstruction({ detail }: UpdateOf<'TransferExpired'>, facts: LedgerFacts): Exercised {
  const { argument, ...rest } = returned(detail, facts);
  const { on, isConsuming, argument: type } = onInstruction;
  return { ...rest, argument: type.write(argument), choice: { on, name: 'TransferInstruction_Update', isConsuming } };
}

export const transferChoices: readonly Choice[] = [
  choice({
    ...TRANSFER,
    template: 'ExternalPartyAmuletRules',
    argument: factoryTransfer,
    commands: ['DirectTransfer', 'SelfTransfer', 'CreateOffer'],
    command: transferCommand,
    records: {
      SelfTransferred(update, facts) {
        const { detail, recordTime } = update;
        const transfer = { ...detail, inputs: coinsIn(update, facts), at: recordTime };
        return {
          contract: facts.factory,
          acting: [detail.sender],
          argument: transferArgumentOf(transfer, facts),
          result: transferResult(completed(detail.holdings), detail.change, detail.burned),
        };
      },
      TransferCompleted(update, facts) {
        const { detail, recordTime } = update;
        const transfer = { ...detail, inputs: coinsIn(update, facts), at: recordTime };
        return {
          contract: facts.factory,
          acting: [detail.sender],
          argument: transferArgumentOf(transfer, facts),
          result: transferResult(completed(detail.holdings), detail.change, detail.burned),
          inner: [sending(detail, transfer.inputs, facts)],
        };
      },
      TransferOffered(update, facts) {
        const { detail, created, recordTime } = update;
        const instruction = created.find(({ id }) => id === detail.instruction);
        const at = instruction?.template === 'TransferInstruction' ? instruction.transfer.requestedAt : recordTime;
        const transfer = { ...detail, inputs: coinsIn(update, facts), at };
        return {
          contract: facts.factory,
          acting: [detail.sender],
          argument: transferArgumentOf(transfer, facts),
          result: transferResult(pending(detail.instruction), detail.change, detail.burned),
        };
      },
    },
  }),
  choice({
    ...onInstruction,
    name: 'TransferInstruction_Accept',
    commands: ['AcceptOffer'],
    command: answering('AcceptOffer'),
    records: {
      TransferAccepted: ({ detail }, facts) => ({
        contract: detail.instruction,
        acting: [detail.receiver],
        argument: contextOfStep(true, facts),
        result: transferResult(completed(detail.holdings), detail.change, detail.burned),
      }),
    },
  }),
  choice({
    ...onInstruction,
    name: 'TransferInstruction_Reject',
    commands: ['RejectOffer'],
    command: answering('RejectOffer'),
    records: {
      TransferRejected: ({ detail }, facts) => ({ ...returned(detail, facts), acting: [detail.receiver] }),
    },
  }),
  choice({
    ...onInstruction,
    name: 'TransferInstruction_Withdraw',
    commands: ['WithdrawOffer'],
    command: answering('WithdrawOffer'),
    records: {
      TransferWithdrawn: ({ detail }, facts) => ({ ...returned(detail, facts), acting: [detail.sender] }),
    },
  }),
];
