import { codec, emptyLedger, formatCommand, Instant, type Ledger, type Update } from '@coinlab/core';
import type { LedgerSession, LedgerSystem, SubmitAnswer } from '@coinlab/testing';

export { conform, type ConformOptions, type ConformReport, type RuleResult } from './conform/conform.js';
export { tokensSignedWith, Unreachable, type Deployment, type LedgerTime } from './conform/deployment.js';
export type { ConformRule } from './conform/rules.js';

// Casts: responses come from our own server, and its tests check them against the schemas.

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

/** Sends a request: `server.app.request` in process, or a `fetch` with a base URL for a remote server. */
export type Ask = (path: string, init?: AskInit) => Response | Promise<Response>;

/**
 * Adapts a dev server to `checkConformance`: every command goes through `POST /dev/submit`, and every run starts from the server's state at
 * the first run. Automation must be off. Keep the log in memory, since runs are reverted often.
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
  if (!read.ok) throw new Error(`the server sent a malformed update: ${read.error.reason}`);
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
