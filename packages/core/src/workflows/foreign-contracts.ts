import { Effects } from '../contracts/effects.js';
import { find, type LedgerState } from '../contracts/state.js';
import type { Context, ValueDetail } from '../kernel/decision.js';
import type { ContractId, PartyId } from '../kernel/ids.js';
import { parseJsonObject } from '../kernel/json.js';
import { shown } from '../kernel/malformed.js';
import { err, ok } from '../kernel/result.js';
import { contractId, list, party, text } from '../kernel/shape.js';
import { onArchived } from '../rules/consent.js';
import { invalid, notFound, refuseUnlessActing } from '../rules/refusals.js';
import { byType, detailShape, shapeOf, unrecorded, type Decision, type Workflow } from '../rules/workflow.js';

/** Contracts of templates without rules on this ledger, such as the network's Ping. Assumption: A-130. */
type ForeignContractCommand = CreateForeignContract | ArchiveForeignContract;

/** Creates a contract of a template without rules. Acts as all its signatories. */
interface CreateForeignContract {
  readonly type: 'CreateForeignContract';
  /** Template id with the name of its package: `#package-name:Module.Name:Entity`. */
  readonly templateId: string;
  /** The fields of the contract as a JSON object. */
  readonly arguments: string;
  /** Signatories of the contract, at least one. */
  readonly signatories: readonly PartyId[];
  readonly observers: readonly PartyId[];
}

/** Archives the contract. Acts as all its signatories. */
interface ArchiveForeignContract {
  readonly type: 'ArchiveForeignContract';
  readonly contract: ContractId;
}

interface ForeignContractDetail extends ValueDetail {
  readonly contract: ContractId;
  readonly templateId: string;
  readonly signatories: readonly PartyId[];
}

interface ForeignContractDetails {
  readonly ForeignContractCreated: ForeignContractDetail;
  readonly ForeignContractArchived: ForeignContractDetail;
}

const outcomes = {
  CreateForeignContract: { becomes: ['ForeignContractCreated'], refusals: ['INVALID_ARGUMENT', 'NOT_AUTHORISED'] },
  ArchiveForeignContract: { becomes: ['ForeignContractArchived'], refusals: ['choice'] },
} as const;

const detail = detailShape<ForeignContractDetail>({ contract: contractId, templateId: text, signatories: list(party) });

export const foreignContracts: Workflow<ForeignContractCommand, ForeignContractDetails, typeof outcomes> = {
  commands: {
    CreateForeignContract: shapeOf<CreateForeignContract>({
      templateId: text,
      arguments: text,
      signatories: list(party),
      observers: list(party),
    }),
    ArchiveForeignContract: shapeOf<ArchiveForeignContract>({ contract: contractId }),
  },
  outcomes,
  source: '§3',
  updates: {
    ForeignContractCreated: unrecorded(detail, { controllers: ({ update }) => [update.detail.signatories] }, null),
    ForeignContractArchived: unrecorded(
      detail,
      onArchived('ForeignContract', ({ signatories }) => [signatories]),
      'contract',
    ),
  },
  decide: byType({ CreateForeignContract: create, ArchiveForeignContract: archive }),
};

function create(
  command: CreateForeignContract,
  state: LedgerState,
  context: Context,
): Decision<ForeignContractDetails> {
  const { templateId, arguments: fields, signatories, observers } = command;
  if (signatories.length === 0) return err(invalid('signatories', '[]', 'at least one party'));
  if (!parseJsonObject(fields)) return err(invalid('arguments', shown(fields), 'a JSON object'));
  const unauthorised = refuseUnlessActing(context, ...signatories);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  const { id: contract } = effects.create('ForeignContract', { templateId, arguments: fields, signatories, observers });
  return ok(effects.outcome('ForeignContractCreated', { contract, templateId, signatories }));
}

function archive(
  command: ArchiveForeignContract,
  state: LedgerState,
  context: Context,
): Decision<ForeignContractDetails> {
  const found = find(state, 'ForeignContract', command.contract);
  if (!found) return err(notFound(command.contract, 'ForeignContract'));
  const { id: contract, templateId, signatories } = found;
  const unauthorised = refuseUnlessActing(context, ...signatories);
  if (unauthorised) return err(unauthorised);
  const effects = new Effects(state);
  effects.archive(found);
  return ok(effects.outcome('ForeignContractArchived', { contract, templateId, signatories }));
}
