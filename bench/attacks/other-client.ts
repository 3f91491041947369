import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Latencies } from '../serving/latencies.ts';

/** The measured latencies and failures of a client that does not attack. */
export interface Service {
  readonly latencies: Latencies;
  readonly slowestMillis: number;
  readonly failures: number;
}

const PAUSE_MILLIS = 10;

/**
 * Sends reads and writes alternately, one after another, each on a new connection.
 * @param millis duration in milliseconds
 */
export async function useServer(url: string, token: string, millis: number): Promise<Service> {
  const latencies = new Latencies();
  let slowestMillis = 0;
  let failures = 0;
  const until = performance.now() + millis;
  for (let i = 0; performance.now() < until; i++) {
    const began = performance.now();
    const status = await (i % 2 === 0
      ? statusOf(url, 'GET', '/v0/wallet/balance', token)
      : statusOf(url, 'POST', '/v0/wallet/tap', token, '{"amount":"1"}'));
    const took = performance.now() - began;
    latencies.add(took);
    slowestMillis = Math.max(slowestMillis, took);
    if (status !== 200) failures += 1;
    await wait(PAUSE_MILLIS);
  }
  return { latencies, slowestMillis, failures };
}

/** Returns the status of a complete response; null if the connection failed. */
function statusOf(url: string, method: string, path: string, token: string, body = ''): Promise<number | null> {
  return new Promise((resolve) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Length': body.length };
    request(url + path, { method, headers, agent: false }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? null)).resume();
    })
      .on('error', () => resolve(null))
      .end(body);
  });
}
