import type { Command, CommandOf } from '@coinlab/core';
import { choice, coinsIn, type Choice } from './choice.js';
import { record } from './daml.js';
import { checkExtraArgs, type ExtraArgs } from './extra-args.js';
import {
  extraArgs,
  factoryTransfer,
  roundContext,
  transferArgumentOf,
  transferOf,
  type FactoryTransfer,
} from './factory-transfer.js';
import type { Site } from './site.js';
import { completed, FAILED, pending, transferResult } from './transfer-results.js';

const INTERFACES = '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1';

type TransferCommand = CommandOf<'SelfTransfer' | 'DirectTransfer' | 'CreateOffer'>;

/** The context decides the kind of the transfer, not the caller. Source: specification of the API §9.4. */
function transferCommand(given: FactoryTransfer, site: Site): TransferCommand {
  const { argument, preapproval } = transferOf(given, site.target, site);
  const { receiver, ...own } = argument;
  if (preapproval !== null) return { type: 'DirectTransfer', ...argument, preapproval };
  if (argument.sender === receiver) return { type: 'SelfTransfer', ...own };
  return { type: 'CreateOffer', ...argument };
}

interface Answer {
  readonly extraArgs: ExtraArgs;
}

const NO_EXTRA: Answer = { extraArgs: { context: { values: {} }, meta: { values: {} } } };

function answering(type: 'AcceptOffer' | 'RejectOffer' | 'WithdrawOffer') {
  return ({ extraArgs: extra }: Answer, site: Site): Command => {
    site.contract('TransferInstruction', site.target);
    checkExtraArgs(extra, type === 'AcceptOffer' ? ['amulet-rules', 'open-round'] : [], site);
    return { type, instruction: site.target };
  };
}

const onInstruction = {
  on: `${INTERFACES}:TransferInstruction`,
  template: 'TransferInstruction',
  isConsuming: true,
  argument: record<Answer>({ extraArgs }),
} as const;

export const transferChoices: readonly Choice[] = [
  choice({
    on: `${INTERFACES}:TransferFactory`,
    template: 'ExternalPartyAmuletRules',
    name: 'TransferFactory_Transfer',
    isConsuming: false,
    argument: factoryTransfer,
    commands: ['DirectTransfer', 'SelfTransfer', 'CreateOffer'],
    command: transferCommand,
    records: {
      SelfTransferred(update, facts) {
        const { detail, recordTime } = update;
        const transfer = { ...detail, inputs: coinsIn(update, facts), at: recordTime };
        return {
          contract: facts.factory,
          argument: transferArgumentOf(transfer, facts),
          result: transferResult(completed(detail.holdings), detail.change, 'merge-split', detail.meta),
        };
      },
      TransferCompleted(update, facts) {
        const { detail, recordTime } = update;
        const transfer = { ...detail, inputs: coinsIn(update, facts), at: recordTime };
        return {
          contract: facts.factory,
          argument: transferArgumentOf(transfer, facts),
          result: transferResult(completed(detail.holdings), detail.change, 'transfer', detail.meta),
        };
      },
      TransferOffered(update, facts) {
        const { detail, created, recordTime } = update;
        const instruction = created.find(({ id }) => id === detail.instruction);
        const at = instruction?.template === 'TransferInstruction' ? instruction.transfer.requestedAt : recordTime;
        const transfer = { ...detail, inputs: coinsIn(update, facts), at };
        return {
          contract: facts.factory,
          argument: transferArgumentOf(transfer, facts),
          result: transferResult(pending(detail.instruction), detail.change, 'transfer', detail.meta),
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
        argument: { extraArgs: roundContext(facts) },
        result: transferResult(completed(detail.holdings), detail.change, 'transfer', detail.meta),
      }),
    },
  }),
  choice({
    ...onInstruction,
    name: 'TransferInstruction_Reject',
    commands: ['RejectOffer'],
    command: answering('RejectOffer'),
    records: {
      TransferRejected: ({ detail }) => ({
        contract: detail.instruction,
        argument: NO_EXTRA,
        result: transferResult(FAILED, detail.holding, 'unlock', detail.meta),
      }),
    },
  }),
  choice({
    ...onInstruction,
    name: 'TransferInstruction_Withdraw',
    commands: ['WithdrawOffer'],
    command: answering('WithdrawOffer'),
    records: {
      TransferWithdrawn: ({ detail }) => ({
        contract: detail.instruction,
        argument: NO_EXTRA,
        result: transferResult(FAILED, detail.holding, 'unlock', detail.meta),
      }),
    },
  }),
];
