import { describe, expect, it } from 'vitest';
import { serve } from './coinlab.ts';

describe('the published bundle', () => {
  it('answers requests to routes that load their modules on demand', async () => {
    const { url, end } = await serve('--dev');
    try {
      const metrics = await fetch(`${url}/metrics`);
      expect(await metrics.text()).toContain('coinlab_ledger_offset');
      for (const path of ['/metrics', '/docs', '/openapi.json', '/dev/events'])
        expect([path, (await headOf(url + path)).status]).toEqual([path, 200]);
    } finally {
      expect(await end('SIGTERM')).toBe(0);
    }
  });
});

/** Returns a response without reading its body, which may be endless. */
async function headOf(url: string): Promise<Response> {
  const ended = new AbortController();
  const answer = await fetch(url, { signal: ended.signal });
  ended.abort();
  return answer;
}
