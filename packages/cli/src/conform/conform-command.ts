import type { ConformReport, Deployment } from '@coinlab/http/testing';
import { BadInput, Stopped } from '../exit-code.js';
import type { Terminal } from '../terminal.js';
import { conformText } from './conform-text.js';

export interface ConformFlags {
  readonly secret?: string;
  readonly audience: string;
  readonly token?: readonly string[];
  readonly party?: readonly string[];
  readonly runs: number;
  readonly seed?: number;
  readonly seconds: number;
  readonly format: 'text' | 'json';
  readonly quiet?: true;
}

const USERS = 5;
const TIMEOUT_MS = 30_000;

export async function conformCommand(url: string, flags: ConformFlags, terminal: Terminal): Promise<void> {
  // Loaded on demand: the kit depends on fast-check, which few commands need.
  const { conform, tokensSignedWith, Unreachable } = await import('@coinlab/http/testing');
  const { secret, audience, runs, seed, seconds } = flags;
  const sign = secret === undefined ? null : tokensSignedWith(secret, audience);
  const stop = new AbortController();
  const stopping = (): void => stop.abort();
  process.once('SIGINT', stopping).once('SIGTERM', stopping);
  try {
    const report = await conform({
      deployment: { send: sender(url, stop.signal), ...usersOf(flags, sign) },
      runs,
      seconds,
      ...(seed === undefined ? {} : { seed }),
      signal: stop.signal,
      onProgress: (rule) => flags.quiet || terminal.err(`coinlab: checking: ${rule}\n`),
    });
    terminal.out(flags.format === 'json' ? `${JSON.stringify({ url, ...report })}\n` : conformText(url, report));
    refuseViolations(report);
  } catch (error) {
    if (stop.signal.aborted) throw new Stopped('interrupted; no rule was reported');
    throw error instanceof Unreachable ? new BadInput(`${url}: ${error.message}`) : error;
  } finally {
    process.off('SIGINT', stopping).off('SIGTERM', stopping);
  }
}

function sender(url: string, stopped: AbortSignal): Deployment['send'] {
  const base = baseOf(url);
  return (path, init) => {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(TIMEOUT_MS)]);
    // A redirect could send the token to another host.
    return fetch(`${base}${path}`, { ...init, redirect: 'error', signal });
  };
}

function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed && ['http:', 'https:'].includes(parsed.protocol)) return url.replace(/\/+$/, '');
  throw new BadInput(`<url>: expected an address such as http://localhost:5003, found ${url}`);
}

function usersOf(
  { token, party }: ConformFlags,
  sign: ((user: string) => Promise<string>) | null,
): Pick<Deployment, 'users' | 'tokenOf'> {
  const given = token ?? party;
  if (given !== undefined && given.length !== USERS)
    throw new BadInput(
      `--${token ? 'token' : 'party'}: expected ${USERS} users, found ${given.length}: four parties and a treasury`,
    );
  if (token) {
    const users = token.map((_, place) => `user ${place + 1}`);
    return { users, tokenOf: async (user) => token[users.indexOf(user)] ?? '' };
  }
  if (party && !sign) throw new BadInput('--party: needs --secret, which signs the tokens of these users');
  return { users: party ?? null, tokenOf: sign };
}

function refuseViolations({ rules }: ConformReport): void {
  const violated = rules.filter(({ status }) => status === 'violated');
  if (violated.length > 0) throw new Violations(`violated: ${violated.map(({ id }) => id).join(', ')}`);
}

/** `code` makes the program print only the message, without a stack. */
class Violations extends Error {
  readonly code = 'VIOLATIONS';
}
