import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { serve, tokenOf, type Serving } from './coinlab.ts';

interface Attack {
  readonly name: string;
}
interface Attacks {
  readonly ATTACKS: readonly Attack[];
  /** Opens connections that attack a server; returns how to end the attack. */
  attack(attack: Attack, port: number, connections: number): () => void;
}

// A program of the repository, not a package: it has no entry but its file.
const { attack, ATTACKS }: Attacks = await import(new URL('../../bench/attacks/attack.ts', import.meta.url).href);

const CONNECTIONS = 300;
const MILLIS = 1_500;
const MOST_MEGABYTES = 350;

let server: Serving | null = null;

afterEach(() => server?.end('SIGKILL'));

/** The largest resident memory that a process has had. */
function peakMegabytes(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

describe.runIf(process.platform === 'linux')('a server under attack', () => {
  it.each(ATTACKS.map((one) => [one.name, one] as const))(
    'serves other clients within its memory limit: %s',
    async (_, chosen) => {
      server = await serve('--dev', '--log-level', 'error');
      const { url, printed, process: child } = server;
      const headers = { authorization: `Bearer ${tokenOf(printed, 'alice')}`, connection: 'close' };
      const end = attack(chosen, Number(new URL(url).port), CONNECTIONS);
      for (const until = performance.now() + MILLIS; performance.now() < until;) {
        const tapped = await fetch(`${url}/v0/wallet/tap`, { method: 'POST', headers, body: '{"amount":"1"}' });
        expect(tapped.status).toBe(200);
        await tapped.text();
      }
      end();
      expect(peakMegabytes(child.pid ?? 0)).toBeLessThan(MOST_MEGABYTES);
    },
  );
});
