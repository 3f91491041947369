import type { PartyId } from '@coinlab/core';
import { choice, creation, type Choice, type Creation } from './choice.js';
import { party, record, text, unit } from './daml.js';

/** Clients use a ping to try a submission. This ledger has no rules for it. */
const on = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping';

interface Ping {
  readonly id: string;
  readonly initiator: PartyId;
  readonly responder: PartyId;
}

const ping = record<Ping>({ id: text, initiator: party, responder: party });

export const pingCreations: readonly Creation[] = [
  creation({
    on,
    argument: ping,
    commands: ['CreateForeignContract'],
    kinds: ['ForeignContractCreated'],
    command: (argument) => ({
      type: 'CreateForeignContract',
      templateId: on,
      arguments: JSON.stringify(ping.write(argument)),
      signatories: [argument.initiator],
      observers: [argument.responder],
    }),
  }),
];

export const pingChoices: readonly Choice[] = [
  choice({
    on,
    template: 'ForeignContract',
    name: 'Archive',
    isConsuming: true,
    argument: unit,
    commands: ['ArchiveForeignContract'],
    command: (_, { target }) => ({ type: 'ArchiveForeignContract', contract: target }),
    records: {
      ForeignContractArchived: ({ detail: { contract } }) => ({ contract, argument: {}, result: {} }),
    },
  }),
];
