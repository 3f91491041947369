import type { ContractBase } from '../kernel/decision.js';
import type { PartyId } from '../kernel/ids.js';
import { instant, integer, list, party, text } from '../kernel/shape.js';
import type { Instant } from '../kernel/time.js';
import type { OwnKey, TemplateDeclaration } from './template.js';

/**
 * A command that a user submitted and that took effect. Created in the update of the command, so that the log says
 * who submitted it. A record, not a contract of the network. Assumption: A-131.
 */
export interface SubmittedCommand extends ContractBase {
  readonly template: 'SubmittedCommand';
  readonly userId: string;
  /** Acting parties in alphabetical order, each once. */
  readonly actAs: readonly PartyId[];
  readonly commandId: string;
  /** Id of the submission; empty when the user gave none. */
  readonly submissionId: string;
  /** Id of the user's workflow; empty when the user gave none. */
  readonly workflowId: string;
  readonly offset: number;
  /** End of the de-duplication: from then on the record may be dropped. */
  readonly expiresAt: Instant;
}

export function changeIdKey({ userId, actAs, commandId }: ChangeId): OwnKey {
  return ['change:', JSON.stringify([userId, commandId, ...actAs])];
}

export interface ChangeId {
  readonly userId: string;
  readonly actAs: readonly PartyId[];
  readonly commandId: string;
}

export const submittedCommandTemplate: TemplateDeclaration<SubmittedCommand> = {
  fields: {
    userId: text,
    actAs: list(party),
    commandId: text,
    submissionId: text,
    workflowId: text,
    offset: integer,
    expiresAt: instant,
  },
  // A record of the ledger itself, so that a later submission of another user can drop it.
  signatories: () => [],
  // Automation does not drop expired records; later submissions do.
  dueAt: ({ expiresAt }) => expiresAt,
  ownKeys: (submitted) => [changeIdKey(submitted)],
  isRecord: true,
};
