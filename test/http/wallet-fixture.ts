import {
  createServer,
  type CoinlabServer,
  type LogPort,
  type ServerConfigInput,
  type ServerPorts,
} from '@coinlab/http';
import { Amount, Duration, Instant, PartyId, type Command, type Update } from '@coinlab/core';
import { expect } from 'vitest';
import { FREE_TRAFFIC, GENESIS_FIGURES } from './steady-settings.ts';

/*
 * A server with two users that have wallets, and requests with their tokens:
 *
 *   const { get, post, server } = await walletServer();
 *   await fund(server, alice, '100');
 *   const { status, body } = await post('alice', '/v0/wallet/transfer-offers', { … });
 */

export const alice = PartyId.of('alice');
export const bob = PartyId.of('bob');
export const GENESIS = Instant.of('2026-01-01T00:00:00Z');

export interface Answered {
  readonly status: number;
  // Bodies have many shapes.
  readonly body: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

export interface WalletServer {
  readonly server: CoinlabServer;
  call(user: string | null, method: string, path: string, body?: unknown): Promise<Answered>;
  get(user: string | null, path: string): Promise<Answered>;
  post(user: string | null, path: string, body?: unknown): Promise<Answered>;
  submit(command: Command, ...actAs: readonly PartyId[]): Promise<Update>;
}

/** A server with a manual clock at 2026-01-01, figures of the genesis, wallets for alice and bob, and none for carol. */
export async function walletServer(settings: ServerConfigInput = {}, ports: ServerPorts = {}): Promise<WalletServer> {
  const server = await createServer({ clock: 'manual', ...GENESIS_FIGURES, ...FREE_TRAFFIC, ...settings }, ports);
  const call = async (user: string | null, method: string, path: string, body?: unknown): Promise<Answered> => {
    const answer = await server.app.request(path, {
      method,
      headers: user === null ? {} : { authorization: `Bearer ${await server.token(user)}` },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    expect(answer.headers.get('content-type')).toContain('application/json');
    return { status: answer.status, body: await answer.json() };
  };
  const submit = async (command: Command, ...actAs: readonly PartyId[]): Promise<Update> => {
    const answer = await server.host.submit(command, actAs);
    expect(answer, `${command.type} is accepted`).toMatchObject({ ok: true });
    if (!answer.ok) throw new Error('unreachable: expected acceptance above');
    return answer.value.update;
  };
  const { validator } = server;
  for (const [endUserName, endUser] of [
    ['alice', alice],
    ['bob', bob],
  ] as const) {
    await submit({ type: 'AllocateParty', party: endUser, displayName: endUserName }, endUser);
    await submit({ type: 'OnboardUser', validator, endUserName, endUser }, validator, endUser);
  }
  return {
    server,
    call,
    submit,
    get: (user, path) => call(user, 'GET', path),
    post: (user, path, body) => call(user, 'POST', path, body ?? {}),
  };
}

export async function fund({ submit }: WalletServer, party: PartyId, value: string): Promise<void> {
  await submit({ type: 'Tap', receiver: party, amount: Amount.of(value) }, party);
}

/** Advances the clock without automation. */
export function wait({ server }: WalletServer, seconds: number): void {
  server.host.clock.advance(Duration.seconds(seconds));
}

/** Microseconds since 1970, `seconds` after the genesis. */
export function inSeconds(seconds: number): number {
  return Number(GENESIS) + seconds * 1_000_000;
}

/** A valid contract id that does not exist. */
export const NO_CONTRACT = `00${'f'.repeat(10).padStart(64, '0')}ca121220${'f'.repeat(10).padStart(64, '0')}`;

/** A log in memory that delays appends while it is held. */
export function heldLog(): { readonly log: LogPort; hold(): void; release(): void } {
  let gate: Promise<void> = Promise.resolve();
  let open: () => void = () => undefined;
  return {
    log: {
      async append() {
        await gate;
        return { ok: true, value: null };
      },
      close: () => Promise.resolve(),
    },
    hold() {
      gate = new Promise((resolve) => (open = resolve));
    },
    release: () => open(),
  };
}
