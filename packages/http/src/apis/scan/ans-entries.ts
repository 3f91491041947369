import { allOf } from '@coinlab/core/views';
import { ContractId, contractsOf, settingsOf } from '@coinlab/core';
import { entryNamed } from '@coinlab/core/rules';
import type { AnsEntry } from '@coinlab/core/contracts';
import { createRoute, z } from '@hono/zod-openapi';
import { problems } from '../../problem.js';
import { answer } from '../../route-parts.js';
import type { LedgerView } from '../../history/ledger-view.js';
import { wholeNumber } from '../../wire/query.js';
import { cidText, foundOr404, partyName, partyText, rfc3339, timeText } from '../../wire/values.js';
import type { RegisterShared } from './mount.js';

const PAGE_LIMIT = 1000;
/** Valid without a payment. Assumption: A-85. */
const DSO_NAME = 'dso.ans';

const entry = z
  .object({
    contract_id: cidText.optional(),
    user: partyText,
    name: z.string(),
    url: z.string(),
    description: z.string(),
    expires_at: timeText.optional(),
  })
  .openapi('AnsEntry');

export const registerScanNames: RegisterShared = (api, ledger, { prefix, declared, operation, refusals }) => {
  const one = (name: string): z.ZodObject<{ entry: typeof entry }> => z.object({ entry }).openapi(name);
  api.openapi(
    createRoute({
      method: 'get',
      path: `${prefix}/ans-entries`,
      operationId: operation('listAnsEntries'),
      summary: 'List names that begin with a prefix',
      ...declared,
      request: {
        query: z.object({
          name_prefix: z.string().default(''),
          page_size: wholeNumber(1, PAGE_LIMIT),
        }),
      },
      responses: {
        200: answer(
          'Entries with names that start with the prefix, in alphabetical order.',
          z.object({ entries: z.array(entry) }).openapi('ListEntriesResponse'),
        ),
        ...refusals,
        ...problems(400),
      },
    }),
    (c) => {
      const { name_prefix, page_size } = c.req.valid('query');
      const entries = [dsoEntry(ledger), ...inForce(allOf(ledger.state, 'AnsEntry'), ledger)]
        .filter(({ name }) => name.startsWith(name_prefix))
        .sort(byName);
      return c.json({ entries: entries.slice(0, page_size) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: `${prefix}/ans-entries/by-party/{party}`,
      operationId: operation('lookupAnsEntryByParty'),
      summary: 'Look up the name of a party',
      ...declared,
      request: { params: z.object({ party: partyName }) },
      responses: {
        200: answer('The alphabetically first entry of the party.', one('LookupEntryByPartyResponse')),
        ...refusals,
        ...problems(404),
      },
    }),
    (c) => {
      const { party } = c.req.valid('param');
      const isDso = party === settingsOf(ledger.state).dso;
      const entries = isDso
        ? [dsoEntry(ledger)]
        : inForce(contractsOf(ledger.state, 'AnsEntry', party), ledger).sort(byName);
      return c.json({ entry: foundOr404(entries[0], 'name of', party) }, 200);
    },
  );
  api.openapi(
    createRoute({
      method: 'get',
      path: `${prefix}/ans-entries/by-name/{name}`,
      operationId: operation('lookupAnsEntryByName'),
      summary: 'Look up the entry of a name',
      ...declared,
      request: { params: z.object({ name: z.string() }) },
      responses: {
        200: answer('The entry of this name.', one('LookupEntryByNameResponse')),
        ...refusals,
        ...problems(404),
      },
    }),
    (c) => {
      const { name } = c.req.valid('param');
      if (name === DSO_NAME) return c.json({ entry: dsoEntry(ledger) }, 200);
      const found = entryNamed(ledger.state, name, ledger.now());
      return c.json({ entry: entryOf(foundOr404(found, 'entry of the name', name)) }, 200);
    },
  );
};

type WireEntry = z.output<typeof entry>;

function byName(a: WireEntry, b: WireEntry): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function inForce(entries: Iterable<AnsEntry>, ledger: LedgerView): WireEntry[] {
  const now = ledger.now();
  return [...entries].filter(({ expiresAt }) => now < expiresAt).map(entryOf);
}

function entryOf({ id, user, name, url, description, expiresAt }: AnsEntry): WireEntry {
  return { contract_id: ContractId.format(id), user, name, url, description, expires_at: rfc3339(expiresAt) };
}

function dsoEntry(ledger: LedgerView): WireEntry {
  return { user: settingsOf(ledger.state).dso, name: DSO_NAME, url: '', description: '' };
}
