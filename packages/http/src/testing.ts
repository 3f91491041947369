import { codec, emptyLedger, formatCommand, Instant, type Ledger, type Update } from '@coinlab/core';
import type { LedgerSession, LedgerSystem, SubmitAnswer } from '@coinlab/testing';

// Casts: the answers come from our own server, whose tests check them against the schemas.

/** A request with a body. */
interface AskInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const posted = (body: object): AskInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** How a server is asked: `server.app.request` of a server in this process, or a `fetch` with the address before the path. */
export type Ask = (path: string, init?: AskInit) => Response | Promise<Response>;

/**
 * A server with `dev` as a system of `checkLedger`: every command goes through `POST /dev/submit`, every run begins at the state that
 * the server had when it was first asked. Its automation must be off and its log in memory, since runs are reverted.
 */
export function httpSystem(ask: Ask): LedgerSystem {
  let begun: Promise<{ readonly start: Ledger; readonly snapshot: number }> | null = null;
  return {
    name: 'http',
    async open() {
      begun ??= begin(ask);
      const { start, snapshot } = await begun;
      await post(ask, '/dev/revert', { snapshot });
      return session(ask, start);
    },
  };
}

async function begin(ask: Ask): Promise<{ readonly start: Ledger; readonly snapshot: number }> {
  const { snapshot } = await post(ask, '/dev/snapshot', {});
  let start = emptyLedger();
  for (let got = -1; got !== 0;) {
    const { updates } = (await get(ask, `/dev/updates?from=${start.state.offset}`)) as { updates: unknown[] };
    for (const json of updates) start = start.apply(updateOf(json));
    got = updates.length;
  }
  return { start, snapshot: snapshot as number };
}

function session(ask: Ask, start: Ledger): LedgerSession {
  return {
    start,
    async submit(command, { now, actAs }): Promise<SubmitAnswer> {
      const body = { actAs, now: Instant.format(now), command: formatCommand(command) };
      const answer = await ask('/dev/submit', posted(body));
      const json = (await answer.json()) as { error?: string; code?: string };
      if (answer.ok) return { accepted: true, update: updateOf(json) };
      const { error, code } = json;
      if (code === undefined) throw new Error(`${answer.status}: ${error}`);
      return { accepted: false, code };
    },
    async stateHash() {
      return String((await get(ask, '/dev/state'))['hash']);
    },
  };
}

function updateOf(json: unknown): Update {
  const read = codec.decode(JSON.stringify(json), 1);
  if (!read.ok) throw new Error(`the server told an update that cannot be read: ${read.error.reason}`);
  return read.value;
}

async function get(ask: Ask, path: string): Promise<Record<string, unknown>> {
  return read(await ask(path), path);
}

async function post(ask: Ask, path: string, body: object): Promise<Record<string, unknown>> {
  return read(await ask(path, posted(body)), path);
}

async function read(answer: Response, path: string): Promise<Record<string, unknown>> {
  const json = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${String(json['error'])}`);
  return json;
}
