import { generateKeyPairSync, sign } from 'node:crypto';
import { ContractId, Duration, holdingsOf, Instant, PartyId, rulesOf } from '@coinlab/core';
import { createServer, type CoinlabServer, type LogPort } from '@coinlab/http';
import { expect, it } from 'vitest';
import { ledgerServer, type ExecuteVerb, type Exercise } from './ledger-commands-fixture.ts';
import { requestTo, routesOf, type Route } from './routes.ts';
import { uploadTooMuch, useParticipant, writingRequests } from './statuses-ledger.ts';
import { dso, nameAlice, synchronizer, type ScanServer } from './scan-fixture.ts';
import {
  alice,
  bob,
  fund,
  heldLog,
  inSeconds,
  wait,
  walletServer,
  type Answered,
  type WalletServer,
} from './wallet-fixture.ts';

/*
 * Every declared status occurs: requests of many kinds are sent to every route, with the contracts that it needs to succeed and to
 * fail. Declared statuses without a response, and undeclared statuses, fail the test.
 */

const seen = new Map<string, Set<number>>();

function record({ app }: CoinlabServer, routes: readonly Route[]): void {
  const request = app.request.bind(app);
  app.request = async (path, init, ...rest) => {
    const answer = await request(path, init, ...rest);
    if (typeof path === 'string') keep(routes, init?.method ?? 'GET', path, answer.status);
    return answer;
  };
}

function keep(routes: readonly Route[], method: string, path: string, status: number): void {
  const pathname = new URL(path, 'http://server').pathname;
  const fits = (route: Route): boolean =>
    route.method === method && new RegExp(`^${route.path.replaceAll(/\{[\w-]+\}/g, '[^/]+')}$`).test(pathname);
  const route = routes.find((one) => one.path === pathname && one.method === method) ?? routes.find(fits);
  if (route) {
    const key = `${route.method} ${route.path}`;
    seen.set(key, (seen.get(key) ?? new Set()).add(status));
  }
}

function requestsTo(route: Route): readonly { readonly path: string; readonly body?: string }[] {
  const { path, init } = requestTo(route);
  const body = typeof init.body === 'string' ? { body: init.body } : {};
  const [pathname = ''] = path.split('?');
  const bare = route.path.replaceAll(/\{[\w-]+\}/g, 'x');
  const queries = route.parameters.filter((one) => one.in === 'query');
  return [
    { path, ...body },
    { path: pathname, ...body },
    { path: bare, ...body },
    ...queries.map(({ name }) => ({
      path: `${path}${path.includes('?') ? '&' : '?'}${name}=%C3%A4&${name}=`,
      ...body,
    })),
    ...queries.map(({ name }) => ({ path: `${pathname}?${name}=%C3%A4`, ...body })),
    ...(route.method === 'GET'
      ? []
      : [
          { path, body: '{' },
          { path, body: '[]' },
          { path, body: '{"amount":true,"contract_id":"x","meta":1,"actAs":1,"page_size":0}' },
        ]),
  ];
}

async function askAll(
  server: CoinlabServer,
  routes: readonly Route[],
  users: readonly (string | null)[],
): Promise<void> {
  for (const user of users) {
    const headers: Record<string, string> =
      user === null ? {} : { authorization: `Bearer ${await server.token(user)}` };
    for (const route of routes)
      for (const { path, body } of requestsTo(route))
        await server.app.request(path, { method: route.method, headers, ...(body === undefined ? {} : { body }) });
  }
}

const settings = { release: '0.6.1' } as const;
const OPERATOR = 'ledger-api-user';
const model = await createServer({ clock: 'manual', ...settings });
const routes = await routesOf(model);

async function world(
  options: Parameters<typeof walletServer>[0] = {},
  ports: Parameters<typeof walletServer>[1] = {},
): Promise<WalletServer> {
  const made = await walletServer({ ...settings, ...options }, ports);
  record(made.server, routes);
  return made;
}

const offerTo = (receiver_party_id: PartyId, tracking_id: string, seconds = 3600): object => ({
  receiver_party_id,
  amount: '5',
  description: '',
  expires_at: inSeconds(seconds),
  tracking_id,
});
const OFFERS = '/v0/wallet/transfer-offers';
const TRANSFERS = ['/v0/wallet/token-standard/transfers', '/v2/wallet/token-standard/transfers'] as const;
const VERBS = ['accept', 'reject', 'withdraw'] as const;

/** Every answer to offers and transfers: by the right user, by the wrong user, too late. */
async function answerOffers(on: WalletServer): Promise<void> {
  let made = 0;
  const right = { accept: 'bob', reject: 'bob', withdraw: 'alice' } as const;
  const make = async (base: string, seconds?: number): Promise<string> => {
    const { body } = await on.post('alice', base, offerTo(bob, `t${++made}`, seconds));
    return body.offer_contract_id ?? body.output.transfer_instruction_cid;
  };
  for (const base of [OFFERS, ...TRANSFERS])
    for (const verb of VERBS) {
      const wrong = right[verb] === 'bob' ? 'alice' : 'bob';
      for (const path of [(id: string) => `${base}/${id}/${verb}`, (): string => `${OFFERS}/${verb}`]) {
        const contract_id = await make(base);
        await on.post(wrong, path(contract_id), { contract_id });
        await on.post(right[verb], path(contract_id), { contract_id });
      }
    }
  for (const base of [OFFERS, ...TRANSFERS]) await on.post('alice', base, offerTo(bob, 'too late', -1));
  await on.post('alice', `${OFFERS}/t1/status`);
  const late = await Promise.all([OFFERS, OFFERS, ...TRANSFERS].map((base) => make(base, 60)));
  wait(on, 60);
  const [first = '', second, third = '', fourth = ''] = late;
  await on.post('bob', `${OFFERS}/${first}/accept`);
  await on.post('bob', `${OFFERS}/accept`, { contract_id: second });
  await on.post('bob', `${TRANSFERS[0]}/${third}/accept`);
  await on.post('bob', `${TRANSFERS[1]}/${fourth}/accept`);
}

const purchase = (on: WalletServer, tracking_id: string): object => ({
  receiving_validator_party_id: on.server.validator,
  domain_id: synchronizer,
  traffic_amount: 1_000_000,
  expires_at: inSeconds(3600),
  tracking_id,
});

async function delegate(on: WalletServer, seconds = 3600): Promise<string> {
  const terms = {
    beneficiary: alice,
    delegate: bob,
    expiresAt: Instant.ofMicros(BigInt(inSeconds(seconds))),
    amuletMergeLimit: 10,
  };
  const { created } = await on.submit({ type: 'ProposeMintingDelegation', ...terms }, alice);
  return ContractId.format(created[0]?.id as ContractId);
}

async function useWallet(on: WalletServer): Promise<void> {
  await fund(on, alice, '10000');
  await fund(on, on.server.validator, '10000');
  await answerOffers(on);
  for (let i = 0; i < 2; i++) await on.post('alice', '/v0/wallet/buy-traffic-requests', purchase(on, 'traffic'));
  await on.post('alice', '/v0/wallet/buy-traffic-requests/traffic/status');
  const PROPOSALS = '/v0/wallet/minting-delegation-proposals';
  await on.post('bob', `${PROPOSALS}/${await delegate(on)}/reject`);
  const accepted = await on.post('bob', `${PROPOSALS}/${await delegate(on)}/accept`);
  await on.post('bob', `/v0/wallet/minting-delegations/${accepted.body.contract_id}/reject`);
  const late = await delegate(on, 120);
  wait(on, 120);
  await on.post('bob', `${PROPOSALS}/${late}/accept`);
  for (let i = 0; i < 2; i++) await on.post('bob', '/v0/wallet/transfer-preapproval');
  const send = { receiver_party_id: bob, amount: '1', deduplication_id: 'x' };
  await on.post('alice', '/v0/wallet/transfer-preapproval/send', send);
  await on.post('alice', '/v0/wallet/transfer-preapproval/send', {
    ...send,
    description: 'x'.repeat(300),
    deduplication_id: 'y',
  });
  await on.call(OPERATOR, 'GET', `/v0/admin/transfer-preapprovals/by-party/${bob}`);
  for (const place of ['', '/v0/scan-proxy'])
    await on.get('bob', `${place === '' ? '/v0' : place}/transfer-preapprovals/by-party/${bob}`);
  await on.call(OPERATOR, 'DELETE', `/v0/admin/transfer-preapprovals/by-party/${bob}`);
  await on.post(OPERATOR, '/v0/admin/users', { name: 'alice', party_id: bob });
}

const SUBSCRIPTIONS = '/v0/wallet/subscription-requests';

/** Requests a name. Returns the id of the subscription request. */
async function wish(on: WalletServer, user: string, name: string): Promise<string> {
  const { body } = await on.post(user, '/v0/entry/create', { name, url: '', description: '' });
  return body.subscriptionRequestCid;
}

/** Buys alice a name. Returns the id of the subscription's idle state. */
async function subscribe(on: WalletServer, name: string): Promise<string> {
  const { body } = await on.post('alice', `${SUBSCRIPTIONS}/${await wish(on, 'alice', name)}/accept`);
  const payment = ContractId.parse(body.initial_payment_contract_id);
  if (!payment.ok) throw new Error('a payment is made');
  await on.submit({ type: 'CollectAnsPayment', payment: payment.value }, dso);
  const { subscriptions } = (await on.get('alice', '/v0/wallet/subscriptions')).body;
  return subscriptions.at(-1).state.idle.contract_id;
}

async function useNames(on: WalletServer): Promise<void> {
  await fund(on, alice, '10000');
  await on.get('alice', `${SUBSCRIPTIONS}/${await wish(on, 'alice', 'a')}`);
  await on.post('bob', `${SUBSCRIPTIONS}/${await wish(on, 'bob', 'b')}/accept`);
  await on.post('alice', `${SUBSCRIPTIONS}/${await wish(on, 'alice', 'c')}/reject`);
  for (const user of ['alice', 'carol']) {
    await on.post(user, '/v0/entry/create', { name: '', url: '', description: '' });
    await on.get(user, '/v0/entry/all');
  }
  await on.call('alice', 'DELETE', `${SUBSCRIPTIONS}/${await subscribe(on, 'd')}`);
}

const FUND = '/v0/wallet/development-fund-coupons';

async function manageFund(on: WalletServer): Promise<void> {
  const baseConfig = rulesOf(on.server.host.state)?.config;
  if (!baseConfig) throw new Error('the ledger is open');
  const newConfig = { ...baseConfig, developmentFundManager: bob };
  await on.submit({ type: 'ExecuteAction', action: { type: 'SetAmuletConfig', baseConfig, newConfig } }, dso);
  await on.server.advance(Duration.minutes(60));
}

async function grantCoupon(on: WalletServer, user: string): Promise<string> {
  const wanted = { beneficiary: alice, amount: '1', expiresAt: inSeconds(86_400), reason: '' };
  return (await on.post(user, `${FUND}/allocate`, wanted)).body.development_fund_coupon_contract_id;
}

async function useFund(on: WalletServer): Promise<void> {
  await manageFund(on);
  await grantCoupon(on, 'alice');
  await on.get('alice', `${FUND}/history?limit=1`);
  await on.post('bob', `${FUND}/${await grantCoupon(on, 'bob')}/withdraw`, { reason: '' });
}

async function useRegistry(on: WalletServer): Promise<void> {
  await fund(on, alice, '100');
  const meta = { values: {} };
  const time = '2026-01-01T00:00:00Z';
  const leg = { sender: alice, receiver: bob, amount: '5.0', instrumentId: { admin: dso, id: 'Amulet' } };
  const extraArgs = { context: meta, meta };
  const transfer = { ...leg, requestedAt: time, executeBefore: time, inputHoldingCids: [], meta };
  const settlement = {
    executor: bob,
    settlementRef: { id: '' },
    requestedAt: time,
    allocateBefore: time,
    settleBefore: time,
    meta,
  };
  const allocation = { settlement, transferLegId: '', transferLeg: { ...leg, meta } };
  const choiceArguments = {
    expectedAdmin: dso,
    transfer,
    allocation,
    requestedAt: time,
    inputHoldingCids: [],
    extraArgs,
  };
  const { body } = await on.post('alice', TRANSFERS[0], offerTo(bob, 'for the registry'));
  const instruction = `transfer-instruction/v2/${body.output.transfer_instruction_cid}`;
  await askRegistry(on, instruction, choiceArguments);
  await askInTransit(choiceArguments);
  on.server.host.replaceState(on.server.history.stateAt(1));
  for (const place of ['', '/v0/scan-proxy'])
    for (const path of [
      'transfer-instruction/v1/transfer-factory',
      'transfer-instruction/v2/transfer-factory',
      'allocation-instruction/v1/allocation-factory',
      'allocation-instruction/v2/allocation-factory',
      'allocation/v2/settlement-factory',
    ])
      await on.server.app.request(`${place}/registry/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await on.server.token('alice')}` },
        body: JSON.stringify({ choiceArguments }),
      });
}

/** Requests to the registry while the contracts that it discloses are between synchronizers. */
async function askInTransit(choiceArguments: object): Promise<void> {
  const server = await createServer({ clock: 'manual', ...settings, dev: true });
  record(server, routes);
  const call = async (user: string, method: string, path: string, body?: object): Promise<Answered> => {
    const headers = { authorization: `Bearer ${await server.token(user)}` };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await server.app.request(path, { method, headers, ...sent });
    return { status: answer.status, body: await answer.json() };
  };
  const post: WalletServer['post'] = (_, path, body = {}) => call('alice', 'POST', path, body as object);
  const { body } = await post('alice', TRANSFERS[0], offerTo(bob, 'in transit'));
  const instruction = `transfer-instruction/v2/${body.output.transfer_instruction_cid}`;
  const factory = await post('alice', '/registry/allocation/v2/settlement-factory', { choiceArguments });
  const accept = await post('alice', `/registry/${instruction}/choice-contexts/accept`, {});
  const disclosed: { contractId: string }[] = accept.body.disclosedContracts;
  for (const contractId of [factory.body.factoryId, ...disclosed.map((contract) => contract.contractId)])
    await post('alice', '/dev/reassign', { contractId });
  await askRegistry({ post, get: (_, path) => call('alice', 'GET', path) }, instruction, choiceArguments);
  await server.close();
}

async function askRegistry(
  on: Pick<WalletServer, 'get' | 'post'>,
  instruction: string,
  choiceArguments: object,
): Promise<void> {
  for (const place of ['', '/v0/scan-proxy']) {
    const post = (path: string, sent: object): Promise<unknown> => on.post('alice', `${place}/registry/${path}`, sent);
    for (const version of ['v1', 'v2']) {
      await post(`transfer-instruction/${version}/transfer-factory`, { choiceArguments });
      await post(`allocation-instruction/${version}/allocation-factory`, { choiceArguments });
      for (const verb of VERBS) await post(`${instruction.replace('v2', version)}/choice-contexts/${verb}`, {});
    }
    await post('allocation/v2/settlement-factory', { choiceArguments });
    await on.get('alice', `${place}/registry/metadata/v1/instruments/Amulet`);
  }
}

async function useScan(on: WalletServer): Promise<void> {
  await nameAlice({ ...on } as ScanServer);
  const { host, history } = on.server;
  const get = (path: string): Promise<unknown> => on.get('alice', path);
  const action = { type: 'GrantFeaturedAppRight', provider: alice } as const;
  const participantId = `PAR::${bob}`;
  await on.submit(
    { type: 'ExecuteAction', action: { type: 'AddSv', party: bob, name: 'b', rewardWeight: 1, participantId } },
    dso,
  );
  const vote = await on.submit({ type: 'RequestVote', requester: bob, action, reason: { url: '', body: '' } }, bob);
  await get(`/v0/voterequests/${ContractId.format(vote.created[0]?.id as ContractId)}`);
  const terms = { sender: alice, receiver: bob, delegate: on.server.validator, amount: 1n as never };
  await on.submit({ type: 'CreateTransferCommandCounter', sender: alice }, dso);
  await on.submit(
    { type: 'CreateTransferCommand', ...terms, expiresAt: Instant.ofMicros(BigInt(inSeconds(3600))), nonce: 0 },
    alice,
  );
  const record_time = Instant.format(history.timeAt(history.head));
  const at = { migration_id: 0, record_time, page_size: 1 };
  for (const place of ['/v0', '/v0/scan-proxy']) {
    await get(`${place}/ans-entries/by-party/${alice}`);
    await get(`${place}/ans-entries/by-name/alice.unverified.ans`);
    await get(`${place}/transfer-command-counter/${alice}`);
    await get(`${place}/transfer-command/status?sender=${alice}&nonce=0`);
    await on.post('alice', `${place}/holdings/summary`, { ...at, owner_party_ids: [alice] });
  }
  for (const version of ['/v0', '/v1']) {
    await on.post(null, `${version}/state/acs`, at);
    await on.post(null, `${version}/holdings/state`, { ...at, owner_party_ids: [alice] });
    await get(`${version}/domains/${synchronizer}/parties/${alice}/participant-id`);
  }
  await get(`/v0/domains/${synchronizer}/members/${on.server.participantId}/traffic-status`);
  await get(`/v0/domains/${synchronizer}/members/PAR::${PartyId.of('nobody')}/traffic-status`);
  await get('/v0/state/acs/snapshot-timestamp?before=2027-01-01T00:00:00Z&migration_id=0');
  await get('/v0/state/acs/snapshot-timestamp-after?after=2025-01-01T00:00:00Z&migration_id=0');
  for (const path of ['/v0/updates', '/v1/updates', '/v2/updates', '/v0/events'])
    await get(`${path}/${history.updateAt(host.state.offset).updateId}`);
}

/** Closes rounds and mints rewards of both kinds. */
async function useRounds(on: WalletServer): Promise<void> {
  const { validator, participantId } = on.server;
  await fund(on, validator, '100000');
  await fund(on, alice, '10');
  await on.submit({ type: 'SelfGrantFeaturedAppRight', provider: validator }, validator);
  await on.post('bob', '/v0/wallet/transfer-preapproval');
  await on.post('alice', '/v0/wallet/transfer-preapproval/send', {
    receiver_party_id: bob,
    amount: '1',
    deduplication_id: 'x',
  });
  const order = { memberId: participantId, synchronizerId: synchronizer, migrationId: 0, trafficBytes: 1_000_000 };
  const inputs = [...holdingsOf(on.server.host.state, validator, 'largest')].map(({ id }) => id);
  await on.submit({ type: 'BuyMemberTraffic', payer: validator, ...order, inputs }, validator);
  await on.server.advance(Duration.minutes(120));
  const { end } = (await on.get(null, '/v0/aggregated-rounds')).body;
  await on.get(null, '/v0/round-of-latest-data');
  await on.get(null, '/v0/rewards-collected');
  for (const round of [0, 999]) await on.get(null, `/v0/amulet-config-for-round?round=${round}`);
  for (const list of ['providers-by-app-rewards', 'validators-by-validator-rewards', 'validators-by-purchased-traffic'])
    await on.get(null, `/v0/top-${list}?round=${end}&limit=1`);
  for (const after of ['begin_after_id', 'page_end_event_id'])
    for (const path of ['/v0/activities', '/v0/transactions'])
      await on.post(null, path, { page_size: 1, [after]: 'x' });
  for (const list of ['round-totals', 'round-party-totals'])
    for (const end_round of [end, end + 1]) await on.post(null, `/v0/${list}`, { start_round: end, end_round });
}

/** Lists of the ledger API, with a limit of one element. */
async function useLedgerLists(): Promise<void> {
  const on = await world({ limits: { listElements: 1 } });
  await on.post('alice', '/v0/wallet/tap', { amount: '1' });
  for (const path of ['ledger-end', 'latest-pruned-offsets']) await on.get('unknown', `/v2/state/${path}`);
  for (const party of [alice, bob]) {
    const filter = { filtersByParty: { [party]: {} } };
    const updateFormat = {
      includeTransactions: { eventFormat: filter, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' },
    };
    const activeAtOffset = on.server.state.offset;
    await on.post('alice', '/v2/state/active-contracts-page', { eventFormat: filter });
    for (const query of ['', '?limit=1']) {
      await on.post('alice', `/v2/state/active-contracts${query}`, { activeAtOffset, filter });
      for (const path of ['/api/ledger/v2/updates', '/v2/updates/flats', '/v2/updates/trees']) {
        await on.post('alice', path + query, { beginExclusive: 0, filter });
        await on.post('alice', path + query, { beginExclusive: 0, updateFormat });
      }
    }
    await on.post('alice', '/v2/updates/get-updates-page', { updateFormat });
    await on.post('alice', '/v2/commands/completions', { parties: [party] });
    const { updateId } = on.server.history.updateAt(activeAtOffset);
    for (const [by, field, places] of [
      ['id', 'updateId', [updateId, 'x']],
      ['offset', 'offset', [activeAtOffset, activeAtOffset + 1]],
    ] as const)
      for (const place of places) {
        await on.post('alice', `/v2/updates/update-by-${by}`, { [field]: place, updateFormat });
        await on.post('alice', `/v2/updates/transaction-by-${by}`, { [field]: place, requestingParties: [party] });
        await on.get('alice', `/v2/updates/transaction-tree-by-${by}/${place}?parties=${party}`);
      }
    const [coin] = holdingsOf(on.server.state, alice, 'oldest');
    for (const contractId of [ContractId.format(coin?.id ?? ContractId.of(1)), 'x']) {
      await on.post('alice', '/v2/events/events-by-contract-id', { contractId, eventFormat: filter });
      await on.post('alice', '/v2/contracts/contract-by-id', { contractId, queryingParties: [party] });
    }
  }
  const ledger = await ledgerServer(on);
  for (const commandId of ['first', 'second']) {
    const { disclosedContracts, ...exercise } = ledger.tapOf('alice', '1');
    const body = { commands: [{ ExerciseCommand: exercise }], disclosedContracts, commandId, actAs: [alice] };
    await on.post('alice', '/v2/commands/submit-and-wait', body);
  }
  await on.post('alice', '/v2/commands/completions', { parties: [alice] });
}

/** Submissions of the ledger API, also while the log is full. */
async function useLedger(): Promise<void> {
  await submitCommands({ submit: 'submit-and-wait', execute: 'executeAndWait' });
  await submitCommands({ submit: 'submit-and-wait-for-transaction', execute: 'executeAndWaitForTransaction' });
  await submitCommands({ submit: 'async/submit', execute: 'execute' });
}

async function submitCommands({ submit, execute: verb }: { submit: string; execute: ExecuteVerb }): Promise<void> {
  const { log, fill } = fillableLog();
  const ledger = await ledgerServer(world({}, { log }));
  const stranger = `00${'ab'.repeat(68)}`;
  const effects = {
    eventFormat: { filtersByParty: { [alice]: {} } },
    transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
  };
  const local = async (exercise: Exercise, change: object = {}, more: object = {}): Promise<void> => {
    const { disclosedContracts = [], ...body } = exercise;
    const commands = {
      commands: [{ ExerciseCommand: body }],
      disclosedContracts,
      commandId: 'c',
      actAs: [alice],
      ...change,
    };
    const sent = submit.endsWith('transaction') ? { commands, ...more } : commands;
    await ledger.wallets.post('alice', `/v2/commands/${submit}`, sent);
  };
  const signed = async (exercise: Exercise, commandId: string, change: object = {}): Promise<any> => {
    const { disclosedContracts = [], ...body } = exercise;
    const actAs = [ledger.dave.party];
    const commands = { commands: [{ ExerciseCommand: body }], disclosedContracts, commandId, actAs, ...change };
    return (await ledger.wallets.post('dave', '/v2/interactive-submission/prepare', commands)).body;
  };
  const tap = ledger.tapOf('alice', '1');
  await local(tap, { commandId: 'once' });
  await local(tap, { commandId: 'once' });
  await local({ ...tap, contractId: stranger });
  await local(tap, { actAs: [bob] });
  await local(tap, {}, { transactionFormat: effects });
  const own = ledger.tapOf('dave', '1');
  await signed({ ...own, contractId: stranger }, 'gone');
  await signed(own, 'other', { actAs: [bob] });
  const prepared = await signed(own, 'once');
  await ledger.execute('alice', prepared, {}, verb);
  await ledger.execute('dave', prepared, { transactionFormat: effects }, verb);
  await ledger.execute('dave', prepared, {}, verb);
  await ledger.execute('dave', prepared, {}, verb);
  const late = await signed(own, 'late');
  fill(true);
  await local(tap, { commandId: 'full' });
  await ledger.execute('dave', late, {}, verb);
  fill(false);
  // A transaction that a later one has made impossible.
  await ledger.tap('dave', '5');
  const transfer = await ledger.transferOf('dave', 'bob', '1');
  const spent = await signed(transfer, 'spent');
  await ledger.exercise('dave', transfer);
  await ledger.execute('dave', spent, {}, verb);
}

async function useExternalParty(): Promise<void> {
  const { log, fill } = fillableLog();
  const on = await world({}, { log });
  const admin = async (path: string, body: object): Promise<{ body: any }> => {
    const ask = (): Promise<{ body: any }> => on.post(OPERATOR, `/v0/admin/external-party/${path}`, body);
    if (/submit|proposal$/.test(path)) {
      for (const refuse of REFUSING) {
        refuse(on, fill);
        await ask();
        fill(false);
        on.server.host.chargeTraffic({ chargeOf: () => null });
        on.server.host.holdBack(new Set());
      }
    }
    return ask();
  };
  await fund(on, on.server.validator, '1000');
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const public_key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
  const signed = (hash: string): string => sign(null, Buffer.from(hash, 'hex'), privateKey).toString('hex');
  const { body } = await admin('topology/generate', { party_hint: 'x', public_key });
  const signed_topology_txs = body.topology_txs.map((tx: any) => ({
    topology_tx: tx.topology_tx,
    signed_hash: signed(tx.hash),
  }));
  await admin('topology/submit', { public_key, signed_topology_txs });
  const { party_id } = body;
  const submit = (path: string, prepared: { body: any }, party = party_id): Promise<unknown> =>
    admin(path, {
      submission: {
        party_id: party,
        transaction: prepared.body.transaction,
        signed_tx_hash: signed(prepared.body.tx_hash),
        public_key,
      },
    });
  const made = await admin('setup-proposal', { user_party_id: party_id });
  await admin('setup-proposal', { user_party_id: party_id });
  await admin('setup-proposal/prepare-accept', { contract_id: made.body.contract_id, user_party_id: bob });
  const acceptance = { contract_id: made.body.contract_id, user_party_id: party_id };
  const prepared = await admin('setup-proposal/prepare-accept', acceptance);
  const again = await admin('setup-proposal/prepare-accept', acceptance);
  await submit('setup-proposal/submit-accept', prepared);
  await on.get(null, `/v2/updates/hash/${prepared.body.tx_hash}`);
  await submit('setup-proposal/submit-accept', again);
  await on.get(OPERATOR, `/v0/admin/external-party/balance?party_id=${party_id}`);
  const expires_at = Instant.format(Instant.ofMicros(BigInt(inSeconds(3600))));
  const send = { sender_party_id: party_id, receiver_party_id: party_id, amount: 1, expires_at, nonce: 0 };
  await admin('transfer-preapproval/prepare-send', { ...send, sender_party_id: PartyId.of('nobody') });
  const order = await admin('transfer-preapproval/prepare-send', send);
  await submit('transfer-preapproval/submit-send', order, bob);
  await submit('transfer-preapproval/submit-send', order);
}

/** Sends the same request while the first one is in flight. */
async function askTwice(): Promise<void> {
  const { log, hold, release } = heldLog();
  const on = await world({}, { log });
  await fund(on, alice, '1000');
  await fund(on, on.server.validator, '1000');
  await on.post('bob', '/v0/wallet/transfer-preapproval');
  const requests: readonly (readonly [string, object])[] = [
    [OFFERS, offerTo(bob, 'twice')],
    ...TRANSFERS.map((path, i) => [path, offerTo(bob, `twice${i}`)] as const),
    ['/v0/wallet/buy-traffic-requests', purchase(on, 'twice')],
    [`${SUBSCRIPTIONS}/${await wish(on, 'alice', 'twice')}/accept`, {}],
    ['/v0/wallet/tap', { amount: '1', command_id: 'twice' }],
    ['/v0/wallet/transfer-preapproval', {}],
    ['/v0/wallet/transfer-preapproval/send', { receiver_party_id: bob, amount: '1', deduplication_id: 'twice' }],
  ];
  for (const [path, body] of requests) {
    hold();
    const asked = [on.post('alice', path, body), on.post('alice', path, body)];
    await Promise.race(asked);
    release();
    await Promise.all(asked);
  }
}

/** A log in memory that refuses appends while it is full. */
function fillableLog(): { readonly log: LogPort; fill(isFull: boolean): void } {
  let full = false;
  return {
    log: {
      append: async () => (full ? { ok: false, error: { code: 'full' } } : { ok: true, value: null }),
      close: async () => undefined,
    },
    fill: (isFull) => (full = isFull),
  };
}

async function askFundOfRefusing(refuse: Refuse): Promise<void> {
  const { log, fill } = fillableLog();
  const on = await world({}, { log });
  await manageFund(on);
  const coupon = await grantCoupon(on, 'bob');
  refuse(on, fill);
  await grantCoupon(on, 'bob');
  await on.post('bob', `${FUND}/${coupon}/withdraw`, { reason: '' });
}

type Refuse = (on: WalletServer, fill: (isFull: boolean) => void) => void;

/** Reasons to refuse every command: a full log, no traffic, contracts in transit. */
const REFUSING: readonly Refuse[] = [
  (_, fill) => fill(true),
  ({ server }) =>
    server.host.chargeTraffic({
      chargeOf: () => ({ ok: false, error: { code: 'INSUFFICIENT_TRAFFIC', trafficBytes: 1, availableBytes: 0 } }),
    }),
  ({ server }) => server.host.holdBack(new EverySet()),
];

class EverySet extends Set<ContractId> {
  override readonly size: number = 1;

  override has(): boolean {
    return true;
  }
}

/** All writing routes of a server that refuses every command. */
async function askRefusing(refuse: Refuse): Promise<void> {
  const { log, fill } = fillableLog();
  const on = await world({}, { log });
  await fund(on, alice, '1000');
  await fund(on, on.server.validator, '1000');
  await on.post('bob', '/v0/wallet/transfer-preapproval');
  await on.post('bob', '/v0/wallet/self-grant-feature-app-right');
  const ids = {
    offer: (await on.post('alice', OFFERS, offerTo(bob, 'full'))).body.offer_contract_id as string,
    proposal: await delegate(on),
    delegation: (await on.post('bob', `/v0/wallet/minting-delegation-proposals/${await delegate(on)}/accept`)).body
      .contract_id as string,
    subscription: await subscribe(on, 'full'),
    request: await wish(on, 'alice', 'request'),
  };
  const writing = await writingRequests(on);
  refuse(on, fill);
  for (const [method, path, body] of writing) await on.call(OPERATOR, method, path, body);
  await wish(on, 'alice', 'too full');
  for (const verb of ['accept', 'reject']) await on.post('alice', `${SUBSCRIPTIONS}/${ids.request}/${verb}`);
  await on.call('alice', 'DELETE', `${SUBSCRIPTIONS}/${ids.subscription}`);
  await askAll(on.server, routes, [OPERATOR, 'alice']);
  for (const verb of VERBS) {
    const user = verb === 'withdraw' ? 'alice' : 'bob';
    await on.post(user, `${OFFERS}/${verb}`, { contract_id: ids.offer });
    for (const base of [OFFERS, ...TRANSFERS]) await on.post(user, `${base}/${ids.offer}/${verb}`);
  }
  await on.post('bob', `/v0/wallet/minting-delegation-proposals/${ids.proposal}/accept`);
  await on.post('bob', `/v0/wallet/minting-delegation-proposals/${ids.proposal}/reject`);
  await on.post('bob', `/v0/wallet/minting-delegations/${ids.delegation}/reject`);
  for (const base of [OFFERS, ...TRANSFERS]) await on.post('alice', base, offerTo(bob, 'too full'));
  await on.post('alice', '/v0/wallet/buy-traffic-requests', purchase(on, 'full'));
  await on.post('alice', '/v0/wallet/transfer-preapproval/send', {
    receiver_party_id: bob,
    amount: '1',
    deduplication_id: 'full',
  });
  await on.call('bob', 'DELETE', '/v0/wallet/cancel-featured-app-rights');
  await on.call(OPERATOR, 'DELETE', `/v0/admin/transfer-preapprovals/by-party/${bob}`);
  await on.post(OPERATOR, '/v0/admin/users', { name: 'new' });
  await on.post('new', '/v0/register');
  await on.post(OPERATOR, '/v0/admin/users/offboard?username=alice');
}

/** Declared statuses that no request of this test can cause. */
const NEVER: readonly (readonly [RegExp, readonly number[]])[] = [
  // 500 is a bug.
  [/./, [500]],
  // The preapproval expires between its lookup and its use.
  [/transfer-preapproval\/send$/, [409]],
  // An unknown sender gets the error when preparing the transfer.
  [/submit-send$/, [404]],
  // The network has no allocations, and always has an administrator of the coin.
  [/registry\/allocations\//, [200]],
  [/registry\/metadata\/v1\/(info|instruments)$/, [404]],
  // Migrations are not simulated.
  [/migrations\/schedule$/, [200]],
  // The ledger is reverted while the list is read: test/http/ledger-updates.test.ts.
  [/\/ledger\/v2\/updates$|\/v2\/updates\/(flats|trees|get-updates-page)$/, [409]],
  [/\/v2\/(commands\/completions|state\/active-contracts(-page)?)$/, [409]],
  // Only a configuration without lock holders refuses the lock of a payment.
  [/subscription-requests\/.*accept$/, [409]],
];

it('every route returns each status that it declares, and no others', async () => {
  record(model, routes);
  await askAll(model, routes, [null, 'stranger', OPERATOR]);
  for (const use of [useWallet, useNames, useFund, useScan, useRounds, useRegistry, useParticipant])
    await use(await world());
  await useExternalParty();
  await useLedger();
  await useLedgerLists();
  await useWallet(await world({ walletOffers: 'public' }));
  const closed = await world({ isDevNet: false, strictPartyLookup: true });
  await closed.post('alice', '/v0/wallet/self-grant-feature-app-right');
  await closed.get(OPERATOR, `/v2/parties/${PartyId.of('nobody')}`);
  await askAll((await world({ wallet: false })).server, routes, [OPERATOR]);
  await uploadTooMuch(await world({ limits: { packageBytes: 100 } }));
  await askTwice();
  for (const refuse of REFUSING) {
    await askRefusing(refuse);
    await askFundOfRefusing(refuse);
  }
  const unopened = await world();
  unopened.server.host.replaceState(unopened.server.history.stateAt(0));
  await unopened.get(null, '/readyz');

  const amiss = routes.flatMap(({ method, path, statuses }) => {
    const route = `${method} ${path}`;
    const given = seen.get(route) ?? new Set();
    const impossible = NEVER.flatMap(([of, which]) => (of.test(path) ? which : []));
    const never = statuses.filter((status) => !given.has(status) && !impossible.includes(status));
    const undeclared = [...given].filter((status) => !statuses.includes(status));
    return [
      ...never.map((status) => `${route} never gave ${status}`),
      ...undeclared.map((status) => `${route} gave ${status}`),
    ];
  });
  expect(amiss).toEqual([]);
});
