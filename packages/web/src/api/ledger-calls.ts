import { post, type Call } from './call.js';

export function activeContracts(party: string, templateIds: readonly string[], token: string): Call {
  const cumulative = templateIds.map((templateId) => ({
    identifierFilter: { TemplateFilter: { value: { templateId, includeCreatedEventBlob: false } } },
  }));
  const eventFormat = { filtersByParty: { [party]: { cumulative } }, verbose: false };
  return post('v2/state/active-contracts-page', { eventFormat }, token);
}

interface Exercised {
  readonly templateId: string;
  readonly contractId: string;
  readonly choice: string;
  readonly choiceArgument: unknown;
}

export function exercise(party: string, exercised: Exercised, token: string): Call {
  return submission(party, { ExerciseCommand: exercised }, token);
}

export function create(party: string, templateId: string, createArguments: unknown, token: string): Call {
  return submission(party, { CreateCommand: { templateId, createArguments } }, token);
}

function submission(party: string, command: unknown, token: string): Call {
  return post('v2/commands/submit-and-wait', { commandId: newId(), actAs: [party], commands: [command] }, token);
}

/** `crypto.randomUUID` exists only on secure addresses. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
