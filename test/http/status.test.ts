import { Engine } from '@coinlab/core';
import type { LogPort } from '@coinlab/http';
import { describe, expect, it } from 'vitest';
import { alice } from './wallet-fixture.ts';
import { pass, scanServer } from './scan-fixture.ts';

describe('the status of the node', () => {
  it('contains id, uptime and ports', async () => {
    const scan = await scanServer({ port: 5_012 });
    pass(scan, 3_723);
    scan.server.host.clock.advance(400_000n as never);
    expect(await scan.ask('GET', '/status')).toEqual({
      status: 200,
      body: {
        success: {
          id: scan.server.participantId.slice('PAR::'.length),
          uptime: 'PT1H2M3.4S',
          ports: { admin: 5_012 },
          extra: expect.stringMatching(/^ledger time is \d+ s (ahead of|behind) machine time$/) as string,
          active: true,
        },
      },
    });
  });

  it('is "not_initialized" while the ledger is empty', async () => {
    const scan = await scanServer();
    scan.server.host.replaceState(new Engine().snapshot());
    expect(await scan.ask('GET', '/status')).toEqual({ status: 200, body: { not_initialized: { active: false } } });
  });

  it('is failed while the log cannot be written, and success after the next write', async () => {
    let isFull = false;
    const log: LogPort = {
      append: async () =>
        isFull
          ? { ok: false, error: { code: 'WRITE_FAILED', reason: 'no space left' } }
          : { ok: true, value: undefined },
      close: async () => undefined,
    };
    const scan = await scanServer({}, { log });
    isFull = true;
    const { host } = scan.server;
    const tap = { type: 'Tap', receiver: alice, amount: 10n as never } as const;
    await expect(host.submit(tap, [alice])).rejects.toThrow('the log cannot be written: no space left');
    expect((await scan.ask('GET', '/status')).body).toEqual({ failed: { error: 'no space left' } });
    expect(await scan.ask('GET', '/readyz')).toEqual({
      status: 503,
      body: { error: 'the log cannot be written: no space left' },
    });
    expect((await scan.ask('GET', '/livez')).status).toBe(200);
    isFull = false;
    await host.submit(tap, [alice]);
    expect((await scan.ask('GET', '/status')).body).toHaveProperty('success');
    expect((await scan.ask('GET', '/readyz')).status).toBe(200);
  });

  it('names the release in /version', async () => {
    const scan = await scanServer({ release: '0.6.1' });
    expect((await scan.ask('GET', '/version')).body).toMatchObject({ version: '0.6.1' });
  });
});
