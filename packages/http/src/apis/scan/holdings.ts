import { acsOf, lockedHoldingsOf, scanAcs } from '@coinlab/core/views';
import { holdingsOf, settingsOf, type LedgerState, type PartyId } from '@coinlab/core';
import { stakeholdersOf } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import type { Register } from '../../request.js';
import { Problem, problems } from '../../problem.js';
import { answer, DEPRECATED, jsonBody } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import {
  activeContractOf,
  activeContractSchema,
  createdEventOf,
  createdEventSchema,
} from '../../wire/active-contract.js';
import { nodeCreating } from '../../wire/transaction-tree.js';
import { entityOf, isOfNetwork, wantedTemplate, type NetworkContract } from '../../wire/templates.js';
import { partyId } from '../../wire/values.js';
import { placeOf, snapshotFields, snapshotOf, snapshotPlace } from './snapshots.js';

const PAGE_LIMIT = 1000;
const page = {
  ...snapshotFields,
  after: z.number().int().optional(),
  page_size: z.number().int().min(1).max(PAGE_LIMIT),
};
const owners = z.array(partyId).min(1);
const acsRequest = z
  .object({ ...page, party_ids: z.array(partyId).optional(), templates: z.array(z.string()).optional() })
  .openapi('AcsRequest');
const holdingsRequest = z.object({ ...page, owner_party_ids: owners }).openapi('HoldingsStateRequest');
const next = { next_page_token: z.number().int().optional() };
const acsResponse = z
  .object({ ...snapshotPlace, created_events: z.array(createdEventSchema), ...next })
  .openapi('AcsResponse');
const acsResponseV1 = z
  .object({ ...snapshotPlace, created_events: z.array(activeContractSchema), ...next })
  .openapi('AcsResponseV1');

type PageRequest = Pick<z.output<typeof acsRequest>, 'after' | 'page_size'>;

export const registerScanHoldings: Register<LedgerView> = (api, ledger) => {
  const kinds = [
    {
      path: 'state/acs',
      operation: 'getAcsSnapshotAt',
      summary: 'List contracts at a time',
      schema: acsRequest,
      find: contractsAsked,
    },
    {
      path: 'holdings/state',
      operation: 'getHoldingsStateAt',
      summary: 'List holdings at a time',
      schema: holdingsRequest,
      find: coinsAsked,
    },
  ] as const;
  for (const { path, operation, summary, schema, find } of kinds) {
    // Cast: each schema is paired with its own `find`.
    const request = jsonBody(schema as typeof acsRequest & typeof holdingsRequest);
    const answers = problems(400, 404);
    api.openapi(
      createRoute({
        method: 'post',
        path: `/v0/${path}`,
        operationId: operation,
        summary: `${summary} (deprecated)`,
        tags: ['scan'],
        ...DEPRECATED,
        request,
        responses: { 200: answer('A page of contracts, oldest first, as created events.', acsResponse), ...answers },
      }),
      (c) => {
        const wanted = c.req.valid('json');
        const snapshot = snapshotOf(ledger, wanted);
        const { contracts, ...rest } = pageOf(find(snapshot.state, wanted), wanted);
        const created_events = contracts.map((contract) => eventOf(contract, snapshot.state, ledger));
        return c.json({ ...placeOf(snapshot), created_events, ...rest }, 200);
      },
    );
    api.openapi(
      createRoute({
        method: 'post',
        path: `/v1/${path}`,
        operationId: `${operation}V1`,
        summary,
        tags: ['scan'],
        request,
        responses: { 200: answer('A page of contracts, oldest first.', acsResponseV1), ...answers },
      }),
      (c) => {
        const wanted = c.req.valid('json');
        const snapshot = snapshotOf(ledger, wanted);
        const { contracts, ...rest } = pageOf(find(snapshot.state, wanted), wanted);
        const created_events = contracts.map((contract) => activeContractOf(contract, snapshot.state, ledger));
        return c.json({ ...placeOf(snapshot), created_events, ...rest }, 200);
      },
    );
  }
};

function contractsAsked(
  state: LedgerState,
  { party_ids, templates }: Pick<z.output<typeof acsRequest>, 'party_ids' | 'templates'>,
): readonly NetworkContract[] {
  const { dso } = settingsOf(state);
  const wanted = templates?.map((text) => {
    const template = wantedTemplate(text);
    if (!template) throw new Problem(400, `templates: ${text} is no template of this network`);
    return template;
  });
  const filter = wanted ? { templates: wanted.map(({ template }) => template) } : {};
  const entities = wanted && new Set(wanted.map(({ entity }) => entity));
  // The ledger has an index by party. For several parties all contracts are scanned.
  const [only, ...others] = party_ids ?? [];
  const found = only !== undefined && others.length === 0 ? acsOf(state, only, filter) : scanAcs(state, filter);
  return found
    .filter(isOfNetwork)
    .filter((contract) => !entities || entities.has(entityOf(contract)))
    .filter((contract) => !party_ids || stakeholdersOf(contract, dso).some((party) => party_ids.includes(party)));
}

function coinsAsked(
  state: LedgerState,
  { owner_party_ids }: { readonly owner_party_ids: readonly PartyId[] },
): readonly NetworkContract[] {
  return [...new Set(owner_party_ids)]
    .flatMap((owner) => [...holdingsOf(state, owner, 'oldest'), ...lockedHoldingsOf(state, owner)])
    .sort((a, b) => a.id - b.id);
}

function pageOf(
  contracts: readonly NetworkContract[],
  { after = 0, page_size }: PageRequest,
): { readonly contracts: readonly NetworkContract[]; readonly next_page_token?: number } {
  const left = contracts.filter(({ id }) => id > after);
  const shown = left.slice(0, page_size);
  const last = shown.at(-1);
  return left.length > page_size && last ? { contracts: shown, next_page_token: last.id } : { contracts: shown };
}

function eventOf(
  contract: NetworkContract,
  state: LedgerState,
  ledger: LedgerView,
): z.output<typeof createdEventSchema> {
  const { updateId } = ledger.created.updateOf(contract.id);
  return createdEventOf(contract, { updateId, node: nodeCreating(contract.id, ledger) }, state, ledger);
}
