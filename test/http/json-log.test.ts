import { jsonLog, type LogLevel } from '@coinlab/http';
import { describe, expect, it } from 'vitest';

function logged(level: LogLevel) {
  const written: string[] = [];
  const log = jsonLog(level, (text) => void written.push(text));
  const lines = () =>
    written
      .join('')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { log, written, lines };
}

describe('the JSON log', () => {
  it('writes one JSON object per line with level, time, facts and message', () => {
    const { log, lines } = logged('info');
    log.info({ status: 200 }, 'request');
    log.flush();
    expect(lines()).toEqual([
      { level: 'info', time: expect.stringMatching(/^\d{4}-.+Z$/) as string, status: 200, msg: 'request' },
    ]);
  });

  it('writes requests in batches, and errors at once after all earlier lines', async () => {
    const { log, written, lines } = logged('info');
    for (let i = 1; i <= 3; i++) log.info({ i }, 'request');
    expect(written).toEqual([]);
    log.error({ i: 4 }, 'fault');
    expect(written.length).toBe(1);
    expect(lines().map(({ i }) => i)).toEqual([1, 2, 3, 4]);
    log.info({ i: 5 }, 'request');
    while (written.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(lines().length).toBe(5);
  });

  it('omits lines below the configured level', () => {
    const { log, lines } = logged('warn');
    log.info({}, 'request');
    log.warn({}, 'refused');
    log.error({}, 'fault');
    expect(lines().map(({ level }) => level)).toEqual(['warn', 'error']);
    const silent = logged('silent');
    silent.log.error({}, 'fault');
    silent.log.flush();
    expect(silent.written).toEqual([]);
  });
});
