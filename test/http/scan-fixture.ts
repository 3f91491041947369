import { Amount, Duration, holdingsOf, Instant, PartyId } from '@coinlab/core';
import { nextAmuletPrice } from '@coinlab/core/rules';
import type { CoinlabServer, ServerConfigInput, ServerPorts } from '@coinlab/http';
import { askDeclared } from './declared.ts';
import { alice, fund, walletServer, type Answered, type WalletServer } from './wallet-fixture.ts';

/*
 * A server with two users, and requests to scan that expect declared responses:
 *
 *   const scan = await scanServer();
 *   const { status, body } = await scan.ask('POST', '/v0/amulet-rules', {});
 */

export const sv = PartyId.of('sv-1');
export const dso = PartyId.of('DSO');
export const synchronizer: string = PartyId.of('global-domain');

export interface ScanServer extends WalletServer {
  ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answered>;
  /** With the token of a user. */
  askAs(user: string, method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answered>;
}

export async function scanServer(settings: ServerConfigInput = {}, ports: ServerPorts = {}): Promise<ScanServer> {
  const wallet = await walletServer(settings, ports);
  const ask = (method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Answered> =>
    askDeclared(wallet.server, path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    ...wallet,
    ask: (method, path, body) => ask(method, path, body, {}),
    askAs: async (user, method, path, body) =>
      ask(method, path, body, { authorization: `Bearer ${await wallet.server.token(user)}` }),
  };
}

/** Advances the clock without automation. */
export function pass({ server }: { readonly server: CoinlabServer }, seconds: number): void {
  server.host.clock.advance(Duration.seconds(seconds));
}

export async function advanceRounds(scan: ScanServer): Promise<void> {
  pass(scan, 600);
  const amuletPrice = nextAmuletPrice(scan.server.host.state) ?? Amount.of('0.005');
  await scan.submit({ type: 'AdvanceOpenRounds', amuletPrice }, dso);
}

/** Funds alice and buys her a name, by default `alice.unverified.ans`, for 90 days. */
export async function nameAlice(scan: ScanServer, name = 'alice.unverified.ans'): Promise<void> {
  const { host } = scan.server;
  await fund(scan, alice, '1000');
  const asked = await scan.submit(
    { type: 'RequestAnsEntry', user: alice, name, url: 'https://alice.example', description: 'Alice' },
    alice,
  );
  const request = asked.created.find(({ template }) => template === 'SubscriptionRequest');
  if (!request) throw new Error('expected a request');
  const inputs = [...holdingsOf(host.state, alice, 'largest')].map(({ id }) => id);
  const paid = await scan.submit({ type: 'PayAnsSubscription', subscription: request.id, inputs }, alice);
  const payment = paid.created.find(({ template }) => template === 'SubscriptionPayment');
  if (!payment) throw new Error('expected a payment');
  await scan.submit({ type: 'CollectAnsPayment', payment: payment.id }, dso);
}

export function now({ server }: ScanServer): string {
  return Instant.format(server.host.clock.now());
}
