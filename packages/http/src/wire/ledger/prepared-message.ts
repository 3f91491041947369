import { hash as hashOf } from 'node:crypto';
import {
  ContractId,
  formatCommand,
  Instant,
  PartyId,
  rulesOf,
  settingsOf,
  type Json,
  type LedgerState,
  type Malformed,
  type PreparedContent,
  type Rejection,
  type Result,
} from '@coinlab/core';
import { portableFormat, type PreparedFormat, type PreparedTransaction } from '@coinlab/core/rules';
import { findAny } from '@coinlab/core/views';
import type { LedgerView } from '../../history/ledger-view.js';
import { MalformedCommand, RefusedCommand } from '../choices/faults.js';
import type { Submitted } from '../choices/site.js';
import { readCommand, readOn, type GivenCommand, type ReadCommand } from '../choices/submitted.js';
import { LF_VERSION } from '../created-event-blob.js';
import { SoonReadTexts } from '../../recent-texts.js';
import { inputOf, nodesOf } from './prepared-nodes.js';
import {
  identifier,
  inputContract,
  preparedMessage,
  type Exercise,
  type Create,
  type DamlTransaction,
  type Identifier,
  type Node,
  type PreparedMessage,
} from '../protobuf/messages.js';
import { NoHash, nodeTreeOf, type NodeTree } from '../protobuf/node-tree.js';
import { transactionHash } from '../protobuf/transaction-hash.js';
import { jsonOfValue } from '../protobuf/values.js';
import { writerOf, type Write } from '../protobuf/writer.js';
import { isOfNetwork } from '../templates.js';

/*
 * The prepared transactions of the network: protobuf messages that contain the command as their root, and its effects. The
 * server keeps no copy: at execution it reads only the message.
 * Source: specification of the API §8.3. Assumption: A-143.
 */

export interface PreparedCommand extends PreparedContent {
  readonly given: GivenCommand;
}

const writeMessage: Write<PreparedMessage> = writerOf(preparedMessage, inputContract, identifier);

export function messageOf(
  { given, prepared, update }: PreparedCommand,
  ledger: LedgerView,
): { readonly transaction: string; readonly hash: string } {
  const { party, commandId, salt, preparedAt, expiresAt, uses } = prepared;
  const nodes = nodesOf(given, update, party, ledger);
  const inputs = uses.map((id) => findAny(ledger.state, id)).filter((each) => each !== null && isOfNetwork(each));
  const synchronizer = synchronizerIn(ledger.state);
  const transaction: DamlTransaction = {
    version: LF_VERSION,
    roots: ['0'],
    nodes: nodes.map((node, id) => ({
      nodeId: String(id),
      versionedNode: { oneofKind: 'v1', v1: { nodeType: node } },
    })),
    nodeSeeds: seedsOf(salt, nodes.length),
  };
  const message: PreparedMessage = {
    transaction,
    metadata: {
      submitterInfo: { actAs: [party], commandId },
      synchronizerId: synchronizer,
      mediatorGroup: 0,
      transactionUuid: salt,
      preparationTime: preparedAt,
      inputContracts: inputs.map((contract) => inputOf(contract, ledger)),
      maxLedgerEffectiveTime: expiresAt,
    },
  };
  const text = writeMessage(message).toString('base64');
  const hash = transactionHash(message, nodeTreeOf(transaction));
  const envelope = { party, expiresAt, commandId, uses: inputs.map(({ id }) => id) };
  const content: Content = { synchronizer, envelope, read: (submitted) => readOn(given, submitted) };
  recent.set(text, { hash, content });
  return { transaction: text, hash };
}

function seedsOf(salt: string, nodes: number): DamlTransaction['nodeSeeds'] {
  const first = hashOf('sha256', salt, 'buffer');
  return Array.from({ length: nodes }, (_, nodeId) => {
    const seed = Buffer.from(first);
    seed.writeInt32BE(nodeId, seed.length - 4);
    return { nodeId, seed };
  });
}

function synchronizerIn(state: LedgerState): string {
  return rulesOf(state)?.config.traffic.activeSynchronizer ?? '';
}

/** The first byte of a message: field 1, a record. Transactions of the core's own format begin with `{`. */
const FIRST_BYTE = 0x0a;

export const readPreparedMessage: PreparedFormat = (transaction, state) => {
  const known = recent.get(transaction);
  if (!known && !isMessage(transaction)) return portableFormat(transaction, state);
  try {
    const { hash, content } = known ?? decoded(transaction);
    const { synchronizer, envelope } = content;
    const { party, expiresAt, commandId, uses } = envelope;
    if (synchronizer !== synchronizerIn(state))
      throw new BadMessage('metadata.synchronizerId', synchronizer, synchronizerIn(state));
    return {
      ok: true,
      value: {
        prepared: { dso: settingsOf(state).dso, party, expiresAt, commandId, uses },
        hash,
        commandOn: (current, now) => commandOn(content, current, now),
      },
    };
  } catch (error) {
    return { ok: false, error: faultOf(error) };
  }
};

interface DecodedMessage {
  readonly hash: string;
  readonly content: Content;
}

/**
 * A transaction is often executed just after it was prepared, and its execution reads it twice; decoding and hashing takes longer
 * than deciding. Whole messages would make the garbage collection of a busy server much longer.
 */
const recent: SoonReadTexts<DecodedMessage> = new SoonReadTexts(256);

function isMessage(transaction: string): boolean {
  const bytes = Buffer.from(transaction, 'base64');
  return bytes[0] === FIRST_BYTE && bytes.toString('base64') === transaction;
}

function decoded(transaction: string): DecodedMessage {
  const read = readMessage(preparedMessage.fromBinary(Buffer.from(transaction, 'base64')));
  recent.set(transaction, read);
  return read;
}

function readMessage(message: PreparedMessage): DecodedMessage {
  if (message.transaction === undefined) throw new NoHash('transaction is missing');
  // The hash covers the nodes of this tree: a node that is found in another way could be unsigned.
  const tree = nodeTreeOf(message.transaction);
  return { hash: transactionHash(message, tree), content: contentOf(message, tree) };
}

class BadMessage extends Error {
  readonly fault: Malformed;

  constructor(field: string, value: string, expected: string) {
    super(field);
    this.fault = { field: `transaction.${field}`, value, expected };
  }
}

/** The protobuf runtime throws plain errors for bytes that are no message. */
function faultOf(error: unknown): Malformed {
  if (error instanceof BadMessage) return error.fault;
  if (error instanceof NoHash || error instanceof Error)
    return { field: 'transaction', value: error.message, expected: 'a message that this ledger prepared' };
  throw error;
}

type Envelope = Pick<PreparedTransaction, 'party' | 'expiresAt' | 'commandId' | 'uses'>;

interface Content {
  readonly synchronizer: string;
  readonly envelope: Envelope;
  /** Throws MalformedCommand or RefusedCommand. */
  readonly read: (submitted: Submitted) => ReadCommand;
}

/** The content depends on no ledger, because all ledgers of a process share the recent messages. */
function contentOf({ metadata }: PreparedMessage, { roots, nodes }: NodeTree): Content {
  const actAs = metadata?.submitterInfo?.actAs ?? [];
  const party = PartyId.parse(actAs[0]);
  if (!party.ok || actAs.length !== 1)
    throw new BadMessage('metadata.submitterInfo.actAs', actAs.join(', '), 'one party');
  const synchronizer = metadata?.synchronizerId ?? '';
  const until = metadata?.maxLedgerEffectiveTime;
  if (until === undefined) throw new BadMessage('metadata.maxLedgerEffectiveTime', 'nothing', 'a time');
  const uses = (metadata?.inputContracts ?? []).map(({ contract }) => {
    const text = contract.oneofKind === 'v1' ? contract.v1.contractId : '';
    const id = ContractId.parse(text);
    if (!id.ok) throw new BadMessage('metadata.inputContracts', text, 'contract ids of this ledger');
    return id.value;
  });
  const [root = '', ...more] = roots;
  const nodeType = nodes.get(root);
  if (!nodeType || more.length > 0) throw new BadMessage('transaction.roots', roots.join(', '), 'one node');
  const envelope = {
    party: party.value,
    expiresAt: Instant.ofMicros(until),
    commandId: metadata?.submitterInfo?.commandId ?? '',
    uses,
  };
  const command = commandOfRoot(root, nodeType);
  return { synchronizer, envelope, read: (submitted) => readCommand([command], submitted) };
}

function commandOfRoot(root: string, nodeType: Node['nodeType']): Json {
  if (nodeType.oneofKind === 'create') return { CreateCommand: createdBy(nodeType.create) };
  if (nodeType.oneofKind === 'exercise') return { ExerciseCommand: exercisedBy(nodeType.exercise) };
  throw new BadMessage('transaction.roots', root, 'a create or an exercise');
}

function createdBy({ templateId, argument }: Create): Json {
  return { templateId: idText(templateId), createArguments: jsonOfValue(argument) };
}

function exercisedBy({ interfaceId, templateId, contractId, choiceId, chosenValue }: Exercise): Json {
  return {
    templateId: idText(interfaceId ?? templateId),
    contractId,
    choice: choiceId,
    choiceArgument: jsonOfValue(chosenValue),
  };
}

function idText(id: Identifier | undefined): string {
  return id === undefined ? '' : `${id.packageId}:${id.moduleName}:${id.entityName}`;
}

function commandOn({ envelope, read }: Content, state: LedgerState, now: Instant): Result<Json, Rejection> {
  const { party, uses } = envelope;
  try {
    const { command } = read({ state, now, readers: new Set([party]), disclosed: new Set(uses) });
    return { ok: true, value: formatCommand(command) };
  } catch (error) {
    if (error instanceof RefusedCommand) return { ok: false, error: error.rejection };
    if (error instanceof MalformedCommand) {
      const { field, value, expected } = error.fault;
      return { ok: false, error: { code: 'INVALID_ARGUMENT', field, value, expected } };
    }
    throw error;
  }
}
